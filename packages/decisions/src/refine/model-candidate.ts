import { lazily, z } from '@palimpsest/core/options'
import { CATEGORIES } from '../log/decision-event.ts'

/** Models write null for what they leave out. */
const optional = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullish().transform((value) => value ?? undefined)

/** One candidate of a model's answer, as far as it can be used. Other keys are left out. */
export const modelCandidateSchema = lazily(() => {
  /** Longest texts that are looked at, in characters; one that is longer makes its candidate unusable. */
  const short = z.string().max(300)
  const long = z.string().max(4_000)
  return z.object({
    message: optional(z.int().min(0)),
    quote: optional(long),
    kind: optional(z.enum(['assert', 'propose', 'accept', 'retract'])),
    category: z.enum(CATEGORIES),
    slot: optional(short),
    choice: optional(short),
    area: optional(short),
    l0: optional(short),
    l1: optional(long),
    reason: optional(long),
    change: optional(z.boolean()),
    replaces: optional(short),
    proposal_message: optional(z.int().min(0)),
    proposal_quote: optional(long),
  })
})

export type ModelCandidate = z.output<ReturnType<typeof modelCandidateSchema>>
