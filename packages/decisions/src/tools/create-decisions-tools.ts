import { runEngineTool, type ToolSchema } from '@palimpsest/core'
import type { SessionRecord } from '../engine/recorder.ts'
import { explain, list, type ReadingInput } from './reading-tools.ts'
import { type RecordingInput, record, retract } from './recording-tools.ts'
import {
  explainSchema,
  listSchema,
  readArguments,
  recordSchema,
  retractSchema,
  toolSchemas,
} from './tool-schemas.ts'

export interface DecisionsTools {
  readonly schemas: readonly ToolSchema[]
  call(name: string, args: unknown, signal?: AbortSignal): Promise<string>
}

type Handler = (args: unknown, known: SessionRecord) => object | Promise<object>

const ANSWER_CHARACTERS = 20_000

export function createDecisionsTools(input: ReadingInput & RecordingInput): DecisionsTools {
  const handlers = new Map<string, Handler>([
    ['decisions_list', (args, known) => list(readArguments(listSchema(), args), known, input)],
    ['decisions_explain', (args, known) => explain(readArguments(explainSchema(), args), known, input)],
    ['decisions_record', (args, known) => record(readArguments(recordSchema(), args), known, input)],
    ['decisions_retract', (args, known) => retract(readArguments(retractSchema(), args), known, input)],
  ])
  return {
    get schemas() {
      return toolSchemas()
    },
    call: (name, args, signal) =>
      runEngineTool({
        name,
        handlers,
        signal,
        maxCharacters: ANSWER_CHARACTERS,
        run: async (handler) => JSON.stringify(await handler(args, await input.recorder.load())),
      }),
  }
}
