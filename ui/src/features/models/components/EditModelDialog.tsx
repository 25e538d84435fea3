import { Button } from '@/components/Button';
import { Dialog, DialogActions } from '@/components/Dialog';
import { Form, Submit } from '@/components/Form';
import { toast } from '@/lib/announce';
import type { Model } from '@/lib/modelWire';
import { useChangeModel } from '../api';
import { atPrices, changeOf, checkModel, isPriceMissing } from '../draft';
import { FigureFields } from './FigureFields';

interface EditModelDialogProps {
  model: Model;
  onClose: () => void;
}

/** Limits and prices of a model. What is left empty stays as it is. */
export function EditModelDialog({ model, onClose }: EditModelDialogProps) {
  const change = useChangeModel();
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={
        <>
          Limits and prices of <bdi>{model.name}</bdi>
        </>
      }
      description="What is left empty stays as it is."
    >
      <Form
        label="Limits and prices"
        validate={(values) => checkModel(values, false)}
        onSubmit={async (values) => {
          try {
            await change.mutateAsync({ id: model.id, ...changeOf(model.version, values) });
          } catch (error) {
            throw isPriceMissing(error) ? atPrices(error) : error;
          }
          toast(`${model.name} is changed.`);
          onClose();
        }}
      >
        <div className="@container">
          <FigureFields model={model} />
        </div>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Submit>Save</Submit>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
