import type { Field } from '../../../proto/fields/field-type.ts';
import { authFieldNames, type CollectionType, type Rules } from '../../../proto/schema/definition.ts';

/** The fields that a collection has by its type; `newId` names them. No name has an @, so that none is another's address. */
export function fieldsOfType(type: CollectionType, newId: () => string): readonly Field[] {
  if (type === 'base') return [];
  const common = { required: false, hidden: false, system: true } as const;
  return [
    {
      id: newId(),
      name: 'username',
      type: 'text',
      unique: true,
      options: { min: 1, max: usernameMax, pattern: '^[A-Za-z0-9_][A-Za-z0-9_.-]*$' },
      ...common,
    },
    { id: newId(), name: 'email', type: 'email', unique: true, options: {}, ...common },
    { id: newId(), name: 'verified', type: 'bool', unique: false, options: {}, ...common, default: false },
  ];
}

const usernameMax = 150;

/** The rules of a new collection that gives none: locked, or accounts that anybody may open and their owners look after. */
export function rulesOfType(type: CollectionType): Rules {
  if (type === 'base') return { listRule: null, viewRule: null, createRule: null, updateRule: null, deleteRule: null };
  const own = 'id = @request.auth.id';
  return { listRule: own, viewRule: own, createRule: '', updateRule: own, deleteRule: own };
}

/** Whether the name is that of a field which the type brings along. */
export function isFieldOfType(type: CollectionType, name: string): boolean {
  return type === 'auth' && (authFieldNames as readonly string[]).includes(name.toLowerCase());
}
