import {
  atOnce,
  type CompletionModel,
  changedFrom,
  countMessages,
  type EngineHost,
  type EngineParts,
  HYGIENE_SHARE,
  inSlices,
  isInstruction,
  isSummary,
  type Message,
  messageRoom,
  type NativeCompaction,
  placeSummary,
  redactMessages,
  type Sliced,
  type Warning,
} from '@palimpsest/core'
import {
  type Compaction,
  type CompactionPlan,
  createCompaction,
  type PlanCall,
  recordsBudget,
  type WriteCall,
  writeSummary,
} from '@palimpsest/summaries'
import { type Boundaries, findBoundaries } from './find-boundaries.ts'
import { type FittedTail, fitTail } from './fit-tail.ts'
import { type CompressorOptions, type CompressorSettings, resolveSettings } from './options.ts'

const HEAD_SHARE = 0.1
const FIRST_MESSAGE_SHARE = 0.25
/** Maximum share of the tail, except for results that the model has not seen. */
const TAIL_SHARE = 0.7
/**
 * Share of the room that a summary without a model, which quotes the user, leaves free, so that not every turn
 * compacts.
 */
const FREE_SHARE = 0.2
/** The tail may exceed its size by this factor for messages that are protected by their number. */
const TAIL_SLACK = 1.5

interface CompressorPlan extends CompactionPlan {
  readonly boundaries: Boundaries
  readonly tail: FittedTail
  readonly recordsTokens: number
  readonly wholeTokens: number
}

export function createCompressor(options: CompressorOptions, given: EngineHost): EngineParts {
  const host = options.summariser === 'none' ? withoutModel(given) : given
  const { tokens, model } = host
  const hasModel = model !== undefined
  const settings = resolveSettings(options, hasModel)
  let settled: { readonly messages: readonly Message[]; readonly target: number } | undefined
  const isSettled = ({ messages = [], targetTokens = Number.POSITIVE_INFINITY }: Partial<PlanCall>) =>
    settled !== undefined &&
    targetTokens >= settled.target &&
    settled.messages.length === messages.length &&
    changedFrom(settled.messages, messages) === messages.length

  function* plan(readable: readonly Message[], call: Partial<PlanCall>): Sliced<CompressorPlan> {
    const { thresholdTokens } = compaction
    const roomWithin = (limit: number) =>
      messageRoom({ ...call, thresholdTokens: limit, messages: readable, tokens })
    const target = roomWithin(thresholdTokens)
    yield
    const system = isInstruction(readable[0]) ? tokens.countMessage(readable[0]) : 0
    const room = Math.max(1, target - system)
    const whole = call.force ? countMessages(tokens, readable) : thresholdTokens
    const tailTokens = Math.min(Math.min(thresholdTokens, whole) * settings.targetRatio, room * TAIL_SHARE)
    const protectedTokens = Math.min(tailTokens * TAIL_SLACK, room * TAIL_SHARE)
    const boundaries = findBoundaries(
      readable,
      {
        first: {
          messages: settings.protectFirstN,
          tokens: room * HEAD_SHARE,
          message: room * FIRST_MESSAGE_SHARE,
        },
        last: { messages: settings.protectLastN, tokens: tailTokens, protected: protectedTokens },
      },
      tokens,
    )
    yield
    const { head, middle, request } = boundaries
    const beside = countMessages(tokens, request === undefined ? head : [...head, request])
    // Results that the model has not seen stay if the window holds them.
    const newest = roomWithin(compaction.share(HYGIENE_SHARE)) - system - beside
    yield
    const tail = fitTail(
      boundaries.tail,
      {
        max: Math.max(protectedTokens, room * TAIL_SHARE - beside),
        newest: Math.max(newest, tailTokens),
      },
      tokens,
    )
    yield
    const leavingTokens = countMessages(tokens, [...middle, ...tail.spilled])
    const left = room - beside - countMessages(tokens, tail.messages)
    const recordsTokens = recordsBudget(target)
    const wholeTokens = Math.max(recordsTokens, hasModel ? left : left - room * FREE_SHARE)
    const plan = { boundaries, tail, recordsTokens, wholeTokens: Math.floor(wholeTokens), leavingTokens }
    return {
      ...plan,
      leavingTokens: isSettled(call) ? 0 : leavingTokens,
      targetTokens: target,
      resultTokens: countMessages(tokens, assemble(plan, '')) + recordsTokens,
      staying: () =>
        `system prompt ${system}, first messages and the last of the user ${beside}, end of the conversation ${countMessages(tokens, tail.messages)}`,
    }
  }

  const compaction: Compaction = createCompaction<CompressorPlan>({
    host,
    threshold: () => compaction.share(settings.threshold, settings.thresholdFloor),
    trigger: () => (settings.threshold > 0 ? compaction.thresholdTokens : Number.POSITIVE_INFINITY),
    plan: (call) => inSlices(plan(call.readable, call)),
    async write(plan, call) {
      const { middle, previousSummary, head, request } = plan.boundaries
      const messages = [...middle, ...plan.tail.spilled]
      const native = settings.isNative ? createNativeWriter(call, plan, settings) : undefined
      const byProvider = call.model?.compact && native?.write
      const kept = plan.tail.messages[0]
      const written = await writeSummary({
        ...plan,
        call,
        messages,
        previousSummary,
        byProvider,
        kept,
        tokens,
      })
      return call.summarised(written, (summary) => ({
        after: withProviderData(assemble(plan, summary), native?.providerData),
        ...(settings.isNative && call.model !== undefined && !byProvider && { warnings: [NO_NATIVE] }),
        summary: `summarised ${middle.length}, kept ${head.length} first${request === undefined ? '' : ', the question'}, ${plan.tail.messages.length} last`,
      }))
    },
    compacted({ messages }, _plan, { targetTokens = Number.POSITIVE_INFINITY }) {
      settled = { messages, target: targetTokens }
    },
  })

  return {
    capabilities: ['summarizer'],
    get thresholdTokens() {
      return compaction.thresholdTokens
    },
    get contextLength() {
      return compaction.contextLength
    },
    shouldCompress: compaction.shouldCompress,
    compress: compaction.compress,
    hasContentToCompress: (messages) => atOnce(plan(messages, {})).leavingTokens > 0,
    updateModel(update) {
      compaction.updateModel(update)
      settled = undefined
    },
    async onSessionReset() {
      compaction.reset()
      settled = undefined
    },
  }
}

function withoutModel({ model: _, ...host }: EngineHost): EngineHost {
  return host
}

const NO_NATIVE: Warning = {
  code: 'native-compaction-unavailable',
  message:
    'the provider of the summariser has no compaction of its own, so the model wrote a summary: set summariser to model, or choose a model of Anthropic',
}

const SEALED = '(The provider has what was said before in a form that only it reads.)'

function createNativeWriter(
  { readable, signal }: WriteCall,
  { boundaries: { system }, tail }: CompressorPlan,
  { isPortable }: CompressorSettings,
) {
  let providerData: NativeCompaction['providerData'] | undefined
  return {
    async write(model: CompletionModel): Promise<string | undefined> {
      const [first] = tail.messages
      const end =
        first === undefined ? -1 : readable.findLastIndex(({ id }) => id !== undefined && id === first.id)
      const said = readable.slice(system === undefined ? 0 : 1, end === -1 ? readable.length : end)
      const messages = await redactMessages(system === undefined ? said : [system, ...said])
      const compaction = await model.compact?.({ messages, ...(signal && { signal }) })
      providerData = compaction?.providerData
      return compaction?.text ?? (isPortable ? undefined : SEALED)
    },
    get providerData() {
      return providerData
    },
  }
}

function withProviderData(
  messages: readonly Message[],
  data: NativeCompaction['providerData'] | undefined,
): Message[] {
  return messages.map((message) =>
    data !== undefined && isSummary(message) ? { ...message, providerData: data } : message,
  )
}

function assemble(
  { boundaries: { system, head, request }, tail: { messages } }: Pick<CompressorPlan, 'boundaries' | 'tail'>,
  summary: string,
): Message[] {
  const before = [...(system === undefined ? [] : [system]), ...head]
  if (summary === '') return [...before, ...(request === undefined ? [] : [request]), ...messages]
  return placeSummary({ head: before, summary, request, tail: messages })
}
