import { runEngineTool, type ToolSchema } from '@palimpsest/core'
import { lcmDescribe, lcmDescribeSchema } from './lcm-describe.ts'
import { lcmExpand, lcmExpandSchema } from './lcm-expand.ts'
import { lcmGrep, lcmGrepSchema } from './lcm-grep.ts'
import { ANSWER_CHARACTERS, type LcmToolsOptions, type ToolContext } from './tool-context.ts'

/** The tools of a conversation: their schemas, and the function that runs them. */
export interface LcmTools {
  readonly schemas: readonly ToolSchema[]
  /**
   * Runs a tool. Returns JSON of at most 20,000 characters; errors are `{"error": …}`. Rejects only on an abort, with
   * `signal.reason`.
   */
  call(name: string, args: unknown, signal?: AbortSignal): Promise<string>
}

type Handler = (args: unknown, context: ToolContext) => Promise<object>

const HANDLERS: ReadonlyMap<string, Handler> = new Map([
  ['lcm_grep', lcmGrep],
  ['lcm_describe', lcmDescribe],
  ['lcm_expand', lcmExpand],
])

export const TOOL_NAMES: readonly string[] = [...HANDLERS.keys()]

export const schemasOf = (hidesReplaced: boolean): readonly ToolSchema[] => [
  lcmGrepSchema(hidesReplaced),
  lcmDescribeSchema(),
  lcmExpandSchema(),
]

/**
 * Creates the `lcm_*` tools of a session. Results are not redacted: the conversation is the user's own. A sub-agent can
 * use them to read its parent's history.
 */
export function createLcmTools(options: LcmToolsOptions): LcmTools {
  const { open, clock = { now: Date.now }, ...rest } = options
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
          return JSON.stringify(await handler(args, { ...rest, clock, session, signal }))
        },
      }),
  }
}
