/** Short names for what the models of a workspace are made of. */
import type { components } from '@/generated/api';
import type { Writable } from './wire';

type Schemas = components['schemas'];

export type Models = Schemas['Models'];
export type ModelInUse = Schemas['ModelInUse'];
export type InstalledModel = Schemas['InstalledModel'];
export type Endpoint = Schemas['Endpoint'];
export type Model = Schemas['Model'];
export type ModelTest = Schemas['ModelTest'];
export type Ability = Schemas['Ability'];
export type Provider = Endpoint['provider'];
export type ModelRole = NonNullable<Model['role']>;
export type ProviderPreset = Schemas['ProviderPreset'];
export type FoundServer = Schemas['FoundServer'];
export type FoundServers = Schemas['FoundServers'];
export type OfferedModel = Schemas['OfferedModel'];
export type NewEndpoint = Writable<Schemas['NewEndpoint']>;
export type NewModel = Writable<Schemas['NewModel']>;
export type ChangeModel = Writable<Schemas['ChangeModel']>;
