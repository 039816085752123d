import { runEngineTool, type ToolSchema } from '@palimpsest/core'
import { lazily } from '@palimpsest/core/options'
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

const toolSchemas = lazily((): readonly ToolSchema[] => [
  decisionsListSchema(),
  decisionsExplainSchema(),
  decisionsRecordSchema(),
  decisionsRetractSchema(),
])

/** The `decisions_*` tools over a log. */
export function createDecisionsTools(input: DecisionsToolsInput): DecisionsTools {
  return {
    get schemas() {
      return toolSchemas()
    },
    call: (name, args, signal) =>
      runEngineTool({
        name,
        handlers: HANDLERS,
        maxCharacters: ANSWER_CHARACTERS,
        signal,
        run: async (handler) => JSON.stringify(await handler(args, input)),
      }),
  }
}
