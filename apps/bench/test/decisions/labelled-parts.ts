import { PARTS, readPart } from '../../src/decisions/labelled-set.ts'

/** The parts of the labelled set, read once. */
export const labelledParts = await Promise.all(
  PARTS.map((part) => readPart(new URL('../../', import.meta.url), part)),
)
