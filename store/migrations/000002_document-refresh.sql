-- Up Migration

-- How far the background job has come that makes stored documents anew after a change of schema: the collection's
-- doc_version that every document had when the job last went through the whole table. Without a row: never.
create table svc.document_refresh (
  collection text collate "C" primary key references svc.collections (id) on delete cascade,
  doc_version bigint not null
);
