import compressor from '@palimpsest/compressor'
import {
  type ContextSession,
  createContextSession,
  type EngineDefinition,
  type TokenCounter,
} from '@palimpsest/core'
import decisions from '@palimpsest/decisions'
import lcm from '@palimpsest/lcm'
import { fixedClock } from '../arms/fixed-clock.ts'

/** An engine as a user gets it, without a model and without a file. */
export interface Subject {
  readonly name: string
  open(tokens: TokenCounter): ContextSession
}

/** Tokens of the model's window. */
const CONTEXT_LENGTH = 200_000

export const SUBJECTS: readonly Subject[] = [
  subject('compressor lean', compressor, {}),
  subject('lcm in memory', lcm, {}),
  subject('decisions', decisions, {}),
  subject('decisions over lcm', decisions, { compaction: { engine: lcm } }),
]

function subject(name: string, engine: EngineDefinition<object>, options: object): Subject {
  return {
    name,
    open: (tokens) =>
      createContextSession({
        engine,
        options,
        tokens,
        contextLength: CONTEXT_LENGTH,
        clock: fixedClock(),
        sessionId: 'bench',
      }),
  }
}
