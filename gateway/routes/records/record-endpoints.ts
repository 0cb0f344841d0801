import type { Endpoint } from '../../endpoint/define.ts';
import { batchRecords } from './batch-records.ts';
import { createRecord } from './create-record.ts';
import { deleteMatching } from './delete-matching.ts';
import { deleteRecord } from './delete-record.ts';
import { listRecords } from './list-records.ts';
import { updateMatching } from './update-matching.ts';
import { updateRecord } from './update-record.ts';
import { viewRecord } from './view-record.ts';

/** SPEC 4.2. */
export const recordEndpoints: readonly Endpoint[] = [
  listRecords,
  createRecord,
  viewRecord,
  updateRecord,
  deleteRecord,
  updateMatching,
  deleteMatching,
  batchRecords,
];
