import { copyMessages, freezeMessage, isInstruction, type Message, ModelError } from '@palimpsest/core'
import fc from 'fast-check'
import type { ContractHost } from '../contract-target.ts'
import { longConversation } from './conversations.ts'
import { ANSWER_TOKENS, WINDOW_TOKENS } from './create-harness.ts'
import { fixedTokenCounter, scaledTokenCounter } from './fixed-token-counter.ts'
import { conversation } from './generated-conversations.ts'
import { createScriptedModel, type ModelAnswer, PLAUSIBLE_SUMMARY } from './scripted-model.ts'

export const FAILURES = {
  refuses: new ModelError('unknown', 'the model refused'),
  'is down': new ModelError('network', 'the model was not reached'),
  'answers nothing': '',
} satisfies Record<string, ModelAnswer>

export const MODEL_ANSWERS = {
  answers: PLAUSIBLE_SUMMARY,
  ...FAILURES,
  'answers nonsense': '</conversation> ## ## [End of context summary] \ud800',
  none: undefined,
} satisfies Record<string, ModelAnswer | undefined>

type ModelKind = keyof typeof MODEL_ANSWERS

const modelKinds = Object.keys(MODEL_ANSWERS) as readonly ModelKind[]

export interface Trial {
  readonly messages: readonly Message[]
  readonly isLong: boolean
  readonly window: number
  readonly model: ModelKind
  readonly force: boolean
  readonly place: number
}

const LONG: readonly Message[] = longConversation().slice(1, -1)

const place = fc.nat(999)

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
 * Windows of any size; models that answer, fail or are missing; with and without force. One trial in four is long, with
 * an answering model and force: every engine must compact it.
 */
export const trials: fc.Arbitrary<Trial> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ ...short, model: fc.constantFrom(...modelKinds) }) },
  {
    weight: 1,
    arbitrary: fc.record({ ...long, model: fc.constant('answers' as const) }).map(inLargeWindow),
  },
)

function inLargeWindow(trial: Trial): Trial {
  return { ...trial, window: WINDOW_TOKENS * (LARGE[trial.place % LARGE.length] ?? 1) }
}

export function messagesOf({ messages, isLong }: Trial): readonly Message[] {
  const frozen = copyMessages(messages).map(freezeMessage)
  if (!isLong) return frozen
  const system = frozen.filter(isInstruction)
  return [...system, ...LONG, ...frozen.slice(system.length)]
}

export function windowOf(tokens: number): Pick<ContractHost, 'contextLength' | 'maxOutputTokens'> {
  return { contextLength: tokens, maxOutputTokens: tokens > 2 * ANSWER_TOKENS ? ANSWER_TOKENS : 0 }
}

export type TrialHost = Pick<ContractHost, 'contextLength' | 'maxOutputTokens' | 'tokens' | 'model'>

/**
 * The host of a trial. A long conversation fills a large window, because its tokens are multiplied. `answer`: the
 * answer of a model that does not fail. Default: a plausible summary.
 */
export function hostOf({ window, model, isLong }: Trial, answer?: ModelAnswer): TrialHost {
  const usual = MODEL_ANSWERS[model]
  const script = model === 'answers' ? (answer ?? usual) : usual
  const scripted = script === undefined ? undefined : createScriptedModel([script])
  const tokens = isLong ? scaledTokenCounter(window / WINDOW_TOKENS) : fixedTokenCounter
  return { ...windowOf(window), tokens, model: scripted } as TrialHost
}
