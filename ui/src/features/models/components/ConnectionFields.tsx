import { PasswordField, SelectField, TextField } from '@/components/Field';
import type { Provider, ProviderPreset } from '@/lib/modelWire';

interface ConnectionFieldsProps {
  presets: readonly ProviderPreset[];
  chosen: ProviderPreset | undefined;
  onChoose: (provider: Provider) => void;
}

/** Provider, address and key. Another provider brings its own address; the key stays as it was typed. */
export function ConnectionFields({ presets, chosen, onChoose }: ConnectionFieldsProps) {
  return (
    <>
      <SelectField
        name="provider"
        label="Provider"
        value={chosen?.provider}
        hint={chosen?.hint}
        onChange={(event) => onChoose(event.target.value as Provider)}
      >
        {presets.map(({ provider, title }) => (
          <option key={provider} value={provider}>
            {title}
          </option>
        ))}
      </SelectField>
      <TextField
        key={chosen?.provider}
        name="base_url"
        label="Address"
        type="url"
        inputMode="url"
        placeholder="https://models.example.org/v1"
        defaultValue={chosen?.base_url ?? ''}
        autoComplete="off"
        spellCheck={false}
      />
      <PasswordField
        name="api_key"
        label={chosen?.needs_key === true ? 'Key' : 'Key (optional)'}
        hint="Kept encrypted, and never shown again in full."
        autoComplete="off"
        spellCheck={false}
      />
    </>
  );
}
