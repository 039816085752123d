import { lazily, parseOptions, z } from '@palimpsest/core/options'
import type { DecisionSessionRef } from '../store/decision-store.ts'
import { DEFAULT_PRINCIPAL } from '../store/default-principal.ts'
import { nameSchema } from '../store/event-schema.ts'

const refSchema = lazily(() =>
  z.object({ principal: nameSchema().default(DEFAULT_PRINCIPAL), key: nameSchema() }),
)

/** A session's name with its principal. @throws InvalidOptionError when one of them cannot be a name. */
export function checkRef(ref: DecisionSessionRef): Required<DecisionSessionRef> {
  return parseOptions(refSchema(), ref, '')
}
