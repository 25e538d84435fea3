import { useState } from 'react';
import { flushSync } from 'react-dom';
import { Button } from '@/components/Button';
import { DialogActions } from '@/components/Dialog';
import { SelectField } from '@/components/Field';
import { Form, Submit, type Values } from '@/components/Form';
import { toast } from '@/lib/announce';
import type { Endpoint, Models } from '@/lib/modelWire';
import { useAddModel } from '../api';
import { ROLES } from '../describe';
import { atPrices, checkModel, isPriceMissing, modelOf, roleToGive } from '../draft';
import { MoreFigures } from './FigureFields';
import { OfferedChoice } from './OfferedChoice';

interface AddModelFormProps {
  endpoint: Endpoint;
  models: Models;
  onDone: () => void;
}

/** Adds a model of an endpoint. Prices are asked for once the server says that it needs them. */
export function AddModelForm({ endpoint, models, onDone }: AddModelFormProps) {
  const add = useAddModel();
  const [needsPrice, setNeedsPrice] = useState(false);
  const [isMore, setMore] = useState(false);

  async function submit(values: Values) {
    const body = modelOf(endpoint.id, values);
    try {
      await add.mutateAsync(body);
    } catch (error) {
      if (!isPriceMissing(error)) throw error;
      // Unfolded before the form leads to the first field at fault.
      flushSync(() => {
        setNeedsPrice(true);
        setMore(true);
      });
      throw atPrices(error);
    }
    toast(`${body.name} is added, and being tested.`);
    onDone();
  }

  return (
    <Form label="Add a model" validate={(values) => checkModel(values, needsPrice)} onSubmit={submit}>
      <OfferedChoice endpointId={endpoint.id} />
      <SelectField name="role" label="Use it for" defaultValue={roleToGive(models)}>
        <option value="thinking">{ROLES.thinking}</option>
        <option value="small">{ROLES.small}</option>
        <option value="">Nothing yet</option>
      </SelectField>
      <MoreFigures open={isMore} onToggle={setMore} />
      <DialogActions>
        <Button onClick={onDone}>Later</Button>
        <Submit>Add and test</Submit>
      </DialogActions>
    </Form>
  );
}
