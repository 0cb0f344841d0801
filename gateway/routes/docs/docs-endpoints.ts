import type { Endpoint } from '../../endpoint/define.ts';
import { docsAsset } from './asset.ts';
import { docsPage, docsPageSlash } from './page.ts';
import { docsSpecificationJson, docsSpecificationYaml, specificationJson, specificationYaml } from './specification.ts';

/** SPEC 4.7, and the page that shows it. */
export const docsEndpoints: readonly Endpoint[] = [
  specificationJson,
  specificationYaml,
  docsSpecificationJson,
  docsSpecificationYaml,
  docsPage,
  docsPageSlash,
  docsAsset,
];
