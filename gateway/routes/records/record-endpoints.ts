import type { Endpoint } from '../../endpoint/define.ts';
import { createRecord } from './create-record.ts';
import { deleteRecord } from './delete-record.ts';
import { listRecords } from './list-records.ts';
import { updateRecord } from './update-record.ts';
import { viewRecord } from './view-record.ts';

/** SPEC 4.2. */
export const recordEndpoints: readonly Endpoint[] = [listRecords, createRecord, viewRecord, updateRecord, deleteRecord];
