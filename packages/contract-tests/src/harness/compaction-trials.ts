import { copyMessages, freezeMessage, isInstruction, type Message, ModelError } from '@palimpsest/core'
import fc from 'fast-check'
import type { ContractHost } from '../contract-target.ts'
import { longConversation } from './conversations.ts'
import { ANSWER_TOKENS, WINDOW_TOKENS } from './create-harness.ts'
import { fixedTokenCounter, scaledTokenCounter } from './fixed-token-counter.ts'
import { conversation } from './generated-conversations.ts'
import { createScriptedModel, type ModelAnswer, PLAUSIBLE_SUMMARY } from './scripted-model.ts'

/** Failures of a model that every engine must notice. */
export const FAILURES = {
  refuses: new ModelError('unknown', 'the model refused'),
  'is down': new ModelError('network', 'the model was not reached'),
  'answers nothing': '',
} satisfies Record<string, ModelAnswer>

/** Answers of a host's model to every call. */
export const MODEL_ANSWERS = {
  answers: PLAUSIBLE_SUMMARY,
  ...FAILURES,
  'answers nonsense': '</conversation> ## ## [End of context summary] \ud800',
  /** There is none. */
  none: undefined,
} satisfies Record<string, ModelAnswer | undefined>

type ModelKind = keyof typeof MODEL_ANSWERS

const modelKinds = Object.keys(MODEL_ANSWERS) as readonly ModelKind[]

/** One generated compaction, small enough to be printed. */
export interface Trial {
  /** The generated conversation. */
  readonly messages: readonly Message[]
  /** Whether a long conversation stands in front of it. */
  readonly isLong: boolean
  /** The model's window, in tokens. */
  readonly window: number
  readonly model: ModelKind
  readonly force: boolean
  /** Where a case plants something, as a number that it reduces to its own range. */
  readonly place: number
}

/** The conversation that stands in front of long trials. Frozen, so that what engines know of it is found out once. */
const LONG: readonly Message[] = longConversation().slice(1, -1)

const place = fc.nat(999)

/** Windows of long trials, as multiples of the usual one: the largest is 1,008,000 tokens. */
const LARGE = [1, 5, 13, 63]

const short = {
  messages: conversation(),
  isLong: fc.constant(false),
  window: fc.constantFrom(40, 200, 600, 2_000, 8_000),
  force: fc.boolean(),
  place,
}
const long = {
  messages: conversation({ maxTurns: 2 }),
  isLong: fc.constant(true),
  window: fc.constant(WINDOW_TOKENS),
  force: fc.constant(true),
  place,
}

/**
 * Windows from absurdly small to huge, models that answer, fail or are not there, with and without force. One
 * trial in four is long, its model answers and the user asks for it: every engine must compact that.
 */
export const trials: fc.Arbitrary<Trial> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ ...short, model: fc.constantFrom(...modelKinds) }) },
  {
    weight: 1,
    arbitrary: fc.record({ ...long, model: fc.constant('answers' as const) }).map(inLargeWindow),
  },
)

/** The same in a window that the place chooses. */
function inLargeWindow(trial: Trial): Trial {
  return { ...trial, window: WINDOW_TOKENS * (LARGE[trial.place % LARGE.length] ?? 1) }
}

/** The whole conversation of a trial: the system prompt first, then the long part if there is one. Frozen JSON. */
export function messagesOf({ messages, isLong }: Trial): readonly Message[] {
  const frozen = copyMessages(messages).map(freezeMessage)
  if (!isLong) return frozen
  const system = frozen.filter(isInstruction)
  return [...system, ...LONG, ...frozen.slice(system.length)]
}

/** A window of this many tokens, with room for an answer where there is enough. */
export function windowOf(tokens: number): Pick<ContractHost, 'contextLength' | 'maxOutputTokens'> {
  return { contextLength: tokens, maxOutputTokens: tokens > 2 * ANSWER_TOKENS ? ANSWER_TOKENS : 0 }
}

export type TrialHost = Pick<ContractHost, 'contextLength' | 'maxOutputTokens' | 'tokens' | 'model'>

/**
 * The parts of the host of a trial that differ from the usual ones: a long conversation fills a large window, because
 * its tokens are counted so many times. `answer` is what a model answers that does not
 * fail. Default: a plausible summary.
 */
export function hostOf({ window, model, isLong }: Trial, answer?: ModelAnswer): TrialHost {
  const usual = MODEL_ANSWERS[model]
  const script = model === 'answers' ? (answer ?? usual) : usual
  // Not left out but undefined, because a host has a model otherwise.
  const scripted = script === undefined ? undefined : createScriptedModel([script])
  const tokens = isLong ? scaledTokenCounter(window / WINDOW_TOKENS) : fixedTokenCounter
  return { ...windowOf(window), tokens, model: scripted } as TrialHost
}
