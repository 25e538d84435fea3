import { Exhibit } from './Exhibit';
import { Tagline } from './Tagline';

/** What the returning reader sees beside a form. */
export function DoorAside() {
  return (
    <div className="grid gap-9">
      <Tagline />
      <Exhibit />
    </div>
  );
}
