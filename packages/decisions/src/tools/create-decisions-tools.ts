import { errorText, type ToolSchema } from '@palimpsest/core'
import { lineText } from '../render/line-text.ts'
import { ANSWER_CHARACTERS } from './answer-limits.ts'
import { decisionsExplain, decisionsExplainSchema } from './decisions-explain.ts'
import { decisionsList, decisionsListSchema } from './decisions-list.ts'
import { decisionsRecord, decisionsRecordSchema } from './decisions-record.ts'
import { decisionsRetract, decisionsRetractSchema } from './decisions-retract.ts'
import type { DecisionsToolsInput } from './tools-input.ts'

/** The tools of a conversation: what a model is offered, and what runs when it calls one. */
export interface DecisionsTools {
  readonly schemas: readonly ToolSchema[]
  /**
   * Runs a tool. Returns JSON text of at most 20,000 characters, `{"error": …}` when it cannot do what was asked. Never
   * throws; rejects with `signal.reason` when it is aborted.
   */
  call(name: string, args: unknown, signal?: AbortSignal): Promise<string>
}

type Handler = (args: unknown, input: DecisionsToolsInput) => Promise<object>

const HANDLERS: ReadonlyMap<string, Handler> = new Map([
  ['decisions_list', decisionsList],
  ['decisions_explain', decisionsExplain],
  ['decisions_record', decisionsRecord],
  ['decisions_retract', decisionsRetract],
])

const SCHEMAS: readonly ToolSchema[] = [
  decisionsListSchema,
  decisionsExplainSchema,
  decisionsRecordSchema,
  decisionsRetractSchema,
]

/** The `decisions_*` tools over a log. */
export function createDecisionsTools(input: DecisionsToolsInput): DecisionsTools {
  return {
    schemas: SCHEMAS,
    async call(name, args, signal) {
      const handler = HANDLERS.get(name)
      if (handler === undefined)
        return failure(
          `there is no tool ${lineText(String(name), 25)}; use ${[...HANDLERS.keys()].join(', ')}`,
        )
      try {
        signal?.throwIfAborted()
        const answer = JSON.stringify(await handler(args, input))
        signal?.throwIfAborted()
        return answer.length <= ANSWER_CHARACTERS
          ? answer
          : failure('the answer is too long; ask for less with "limit"')
      } catch (error) {
        signal?.throwIfAborted()
        return failure(errorText(error))
      }
    },
  }
}

/** Characters of an error. */
const ERROR_CHARACTERS = 1_000

function failure(message: string): string {
  return JSON.stringify({ error: message.slice(0, ERROR_CHARACTERS).toWellFormed() })
}
