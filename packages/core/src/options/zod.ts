/**
 * zod, as much of it as checks options, configurations and what was stored. The build of core holds these parts: the package
 * is loaded with all of its 64 languages, which takes longer than everything else of an engine. One copy serves all packages.
 */
export type * from 'zod'
export {
  array,
  boolean,
  custom,
  discriminatedUnion,
  enum,
  int,
  iso,
  literal,
  looseObject,
  number,
  object,
  preprocess,
  record,
  strictObject,
  string,
  templateLiteral,
  union,
  unknown,
  url,
} from 'zod'
