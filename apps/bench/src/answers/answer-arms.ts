import compressor from '@palimpsest/compressor'
import type { EngineDefinition, Message, TokenCounter } from '@palimpsest/core'
import decisions from '@palimpsest/decisions'
import lcm from '@palimpsest/lcm'
import type { OpenedArm, OpenInput } from '../arms/arm.ts'
import { openEngine } from '../arms/engines.ts'
import { claudeCodeCompaction } from '../arms/peers/claude-code.ts'
import { langChainSummarization } from '../arms/peers/langchain-summarization.ts'
import { piCompaction } from '../arms/peers/pi-compaction.ts'
import { hermesArm } from './hermes.ts'
import { tailText, thirtyLines } from './prompt-text.ts'

/** The window of every arm, in tokens. The bundled session is three times as long. */
export const WINDOW = 64_000
/**
 * Share of the window at which LangChain's guide summarises, also used for pi, whose reserve is half of this window.
 */
const PEER_SHARE = 0.8

export interface AnswerArm {
  readonly name: string
  open(input: Omit<OpenInput, 'budget'>): Promise<OpenedArm> | OpenedArm
}

const engineOf = (name: string, engine: EngineDefinition<object>, options = {}): AnswerArm => ({
  name,
  open: (input) => openEngine({ name, engine, options }, { ...input, contextLength: WINDOW }),
})

const withoutModel = ({ name, open }: AnswerArm): AnswerArm => ({
  name: `${name}-alone`,
  open: ({ model: _, ...input }) => open(input),
})

const peer = (name: string, { open }: Pick<ReturnType<typeof hermesArm>, 'open'>): AnswerArm => ({
  name,
  open: (input) => open({ ...input, budget: Math.floor(WINDOW * PEER_SHARE) }),
})

const COMPRESSOR = engineOf('compressor', compressor)
const LCM = engineOf('lcm', lcm)

export const PLAYED: readonly AnswerArm[] = [
  COMPRESSOR,
  withoutModel(COMPRESSOR),
  LCM,
  withoutModel(LCM),
  engineOf('decisions-over-lcm', decisions, { compaction: { engine: lcm } }),
  peer('langchain', langChainSummarization),
  peer('pi', piCompaction),
  peer('hermes', hermesArm(WINDOW)),
  peer('claude-code', claudeCodeCompaction),
]

/** Tokens of the arms without a summary: the median of the others when they were first recorded. */
export const BOUND_TOKENS = 39_420

export const BOUNDS: Readonly<
  Record<string, (messages: readonly Message[], room: number, tokens: TokenCounter) => string>
> = { tail: tailText, 'thirty-lines': thirtyLines }

export const WHOLE = 'whole'

export const ARM_NAMES: readonly string[] = [WHOLE, ...PLAYED.map(({ name }) => name), ...Object.keys(BOUNDS)]
