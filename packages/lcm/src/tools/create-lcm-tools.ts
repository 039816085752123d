import { runEngineTool, type ToolSchema } from '@palimpsest/core'
import type { Frontier } from '../store/frontier.ts'
import { ANSWER_CHARACTERS } from './answer-limits.ts'
import { lcmDescribe, lcmDescribeSchema } from './lcm-describe.ts'
import { lcmDoctor, lcmDoctorSchema } from './lcm-doctor.ts'
import { lcmExpand, lcmExpandSchema } from './lcm-expand.ts'
import { lcmExpandQuery, lcmExpandQuerySchema } from './lcm-expand-query.ts'
import { lcmGrep, lcmGrepSchema } from './lcm-grep.ts'
import { lcmStatus, lcmStatusSchema } from './lcm-status.ts'
import { createTokenGrant } from './token-grant.ts'
import type { LcmToolsOptions, ToolContext } from './tool-context.ts'

/** The tools of a conversation: what a model is offered, and what runs when it calls one. */
export interface LcmTools {
  readonly schemas: readonly ToolSchema[]
  /**
   * Runs a tool. Returns JSON text of at most 20,000 characters, `{"error": …}` when it cannot do what was asked.
   * Never throws; rejects with `signal.reason` when it is aborted.
   */
  call(name: string, args: unknown, signal?: AbortSignal): Promise<string>
}

type Handler = (args: unknown, context: ToolContext) => Promise<string>

const free =
  (handler: (args: unknown, context: ToolContext) => Promise<object>): Handler =>
  async (args, context) =>
    JSON.stringify(await handler(args, context))

const granted =
  (handler: (args: unknown, context: ToolContext) => (characters: number) => Promise<object>): Handler =>
  async (args, context) =>
    context.grant.spend(handler(args, context))

const HANDLERS: ReadonlyMap<string, Handler> = new Map([
  ['lcm_grep', granted(lcmGrep)],
  ['lcm_describe', granted(lcmDescribe)],
  ['lcm_expand', granted(lcmExpand)],
  ['lcm_expand_query', granted(lcmExpandQuery)],
  ['lcm_status', free(lcmStatus)],
  ['lcm_doctor', free(lcmDoctor)],
])

/** The schemas of all tools. Without `include_replaced` where what was replaced is hidden. */
export const schemasOf = (hidesReplaced: boolean): readonly ToolSchema[] => [
  lcmGrepSchema(hidesReplaced),
  lcmDescribeSchema(),
  lcmExpandSchema(),
  lcmExpandQuerySchema(),
  lcmStatusSchema(),
  lcmDoctorSchema(),
]

/**
 * The `lcm_*` tools over a session. What they return is what was stored, secrets too: it is the user's own
 * conversation. A sub-agent that may read its parent's history within a bound gets tools of its own:
 *
 * ```ts
 * const parent = await store.find({ key: 'parent-session' })
 * if (parent === null) throw new Error('there is no such session')
 * const tools = createLcmTools({ open: async () => parent, tokens: roughTokenCounter, grantTokens: 4_000 })
 * const schemas = tools.schemas // what the sub-agent is offered
 * const answer = await tools.call('lcm_grep', { query: 'ledger port' }) // what runs when it calls one
 * ```
 */
export function createLcmTools(options: LcmToolsOptions): LcmTools {
  const { open, frontier, grantTokens, clock = { now: Date.now }, ...rest } = options
  const grant = createTokenGrant(grantTokens, options.tokens)
  return {
    get schemas() {
      return schemasOf(options.hidesReplaced ?? false)
    },
    call: (name, args, signal) =>
      runEngineTool({
        name,
        handlers: HANDLERS,
        maxCharacters: ANSWER_CHARACTERS,
        signal,
        async run(handler) {
          const session = await open()
          let current: Promise<Frontier> | undefined
          const readFrontier = frontier ?? (() => session.frontier())
          return handler(args, {
            ...rest,
            clock,
            session,
            grant,
            signal,
            frontier: () => {
              current ??= readFrontier()
              return current
            },
          })
        },
      }),
  }
}
