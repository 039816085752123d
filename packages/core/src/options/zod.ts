/**
 * The parts of zod that Palimpsest uses, bundled with core: the whole package loads 64 languages, which takes longer
 * than the rest of an engine.
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
