import { lazily, toolSchema, z } from '@palimpsest/core/options'
import { type Decision, isContested, isRemark } from '../log/decision.ts'
import { CATEGORIES } from '../log/decision-event.ts'
import { normalSlot } from '../log/normal-text.ts'
import { readLog } from '../render/log-reading.ts'
import { fitItems, USUAL_CHARACTERS } from './answer-limits.ts'
import { decisionFacts } from './decision-facts.ts'
import { logIndexOf } from './log-index.ts'
import { amount, readArguments, text } from './read-arguments.ts'
import type { DecisionsToolsInput } from './tools-input.ts'

const DEFAULT_LIMIT = 20
const STATUSES = [
  'active',
  'proposed',
  'superseded',
  'retracted',
  'contested',
  'suspect',
  'remark',
  'all',
] as const

const argumentSchema = lazily(() =>
  z.object({
    query: text(2_000, 'Words of the subject: the best matches first.').optional(),
    slot: text(200, 'One subject, such as "datastore" or "setting:port".').optional(),
    status: z
      .enum(STATUSES)
      .optional()
      .describe(
        '"active": what holds. "contested", "suspect": active ones in doubt. "remark": words of the user on a subject ' +
          'without a decision. Default: "active" and "remark".',
      ),
    category: z.enum(CATEGORIES).optional().describe('Default: all.'),
    scope: z
      .enum(['session', 'project'])
      .optional()
      .describe('"session": said in this session. "project": holds beyond it. Default: both.'),
    limit: amount(100, '1 to 100; default 20.'),
    cursor: z
      .preprocess(
        (value) => (Number.isSafeInteger(value) ? String(value) : value),
        z.string().regex(/^\d{1,9}$/),
      )
      .optional()
      .describe('"next" of the previous answer, with the same filters.'),
  }),
)

/** The schema of `decisions_list`, as a model gets it. */
export const decisionsListSchema = lazily(() =>
  toolSchema(
    'decisions_list',
    'Lists what was decided, also what the record at the top leaves out: id, slot (subject), choice, status, authority, ' +
      'turn. "next" is the cursor for more.',
    argumentSchema(),
  ),
)

/** A page of the decisions that fit. */
export async function decisionsList(args: unknown, input: DecisionsToolsInput): Promise<object> {
  const { query, limit = DEFAULT_LIMIT, cursor = '0', ...given } = readArguments(argumentSchema(), args)
  const filters = { ...given, slot: given.slot && normalSlot(given.slot) }
  const ledger = await input.ledger()
  const { session } = input
  const isMeant = (decision: Decision) => fits(decision, filters, session)
  const fitting = logIndexOf(ledger).fitting(JSON.stringify([session, filters]), isMeant)
  const from = Number(cursor)
  const found =
    query === undefined ? undefined : readLog(ledger, session).terms.best(query, fitting, from + limit)
  const total = found?.total ?? fitting.size
  const { all } = ledger
  const page =
    found?.ids.slice(from).flatMap((id) => ledger.get(id) ?? []) ??
    fitting.numbers.slice(from, from + limit).flatMap((number) => all[number] ?? [])
  const facts = page.map((decision) => decisionFacts(decision, session))
  const shown = fitItems(facts, USUAL_CHARACTERS)
  const end = from + shown.length
  return {
    total,
    next: end < total ? String(end) : null,
    ...(total === 0 && {
      on_record: all.length,
      hint: 'nothing fits; try status "all" or fewer filters',
    }),
    decisions: shown,
  }
}

type Arguments = z.output<ReturnType<typeof argumentSchema>>
/** `slot`: normalised. */
type Filters = Pick<Arguments, 'status' | 'category' | 'scope'> & { readonly slot: string | undefined }

function fits(decision: Decision, { slot, status, category, scope }: Filters, session: string): boolean {
  if (slot !== undefined && decision.slot !== slot && decision.slot !== `remark:${slot}`) return false
  if (category !== undefined && decision.category !== category) return false
  if (scope === 'session' && !decision.sources.some((source) => source.session === session)) return false
  if (scope === 'project' && !decision.scope.startsWith('project:')) return false
  if (status === 'contested') return isContested(decision)
  const isSaid = decision.status === 'proposed' && isRemark(decision)
  if (status === 'remark' || (status === undefined && isSaid)) return isSaid
  if (status === 'suspect') return decision.suspectOf !== undefined
  return status === 'all' || decision.status === (status ?? 'active')
}
