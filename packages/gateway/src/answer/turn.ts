import {
  type AssistantMessage,
  type AssistantPart,
  type CachePlan,
  type Clock,
  contentParts,
  contextOverflow,
  createPause,
  errorText,
  isCompactionRefusal,
  type Loose,
  type Message,
  messageText,
  type Prepared,
  reasoningRefusal,
  runTurn,
  stripReasoning,
  type ToolSchema,
  type Turn,
  type TurnAnswer,
  type TurnRequest,
  type TurnSession,
  toolCallName,
  toolCallsOf,
  type Warning,
} from '@palimpsest/core'
import type { Lease } from '../conversations.ts'
import {
  type ChatRequest,
  ROUND_BREAK,
  readRefusal,
  StreamedError,
  type WireFormat,
} from '../formats/wire-format.ts'
import { GatewayFault, PassedOn } from '../http/gateway-fault.ts'
import { hasMarks, withoutCacheMarks } from '../recognition/cache-marks.ts'
import { type HiddenAnswer, restoreHidden } from '../recognition/conversation-index.ts'
import { extendPrefix, type PrefixHashes } from '../recognition/prefix-hashes.ts'
import { traceModelCall } from '../trace-model-call.ts'

/**
 * Returns messages with a plan's breakpoints in the form that the upstream's API takes for a model. Undefined for a
 * plan of this request alone.
 */
export type MarkCache = (
  to: { readonly api: string; readonly model: string },
  messages: readonly Message[],
  plan?: CachePlan | null,
) => readonly Message[]

interface TurnInput {
  readonly format: Pick<WireFormat, 'name'>
  readonly request: ChatRequest
  readonly prefix: PrefixHashes
  readonly lease: Lease
  readonly post: (body: string, headers?: Readonly<Record<string, string>>) => Promise<Response>
  readonly markCache: MarkCache
  readonly rounds: number
  readonly clock: Clock
  readonly log: (line: string) => void
  readonly signal: AbortSignal
}

interface ReadAnswer extends TurnAnswer {
  readonly usage: Loose | undefined
}

export type GatewayTurn = ReturnType<typeof createTurn>

export function createTurn(input: TurnInput) {
  const { format, request, prefix, lease, rounds, signal } = input
  // Most clients set no marks, and each message is then unchanged.
  const unmarked = request.isMarked ? withoutCacheMarks(request.messages) : undefined
  const list = restoreHidden(unmarked?.messages ?? request.messages, prefix, lease.hidden)
  const own = new Set<string>()
  const managed = createManagedContext(input, list, own)
  let isReading = false
  const pause = createPause()
  const provider = format.name === 'anthropic-messages' ? 'anthropic' : 'openai'
  const traced = { provider, model: request.model, conversation: lease.known.name, clock: input.clock }

  const bodyOf = (asked: TurnRequest): Loose => {
    const { messages: shown, origins, isLast } = asked
    if (!managed.isManaged) return request.write(shown, [], { origins, told: shown, isLast })
    // The client's breakpoints or ours, never both.
    const offered = engineTools(request, asked)
    for (const tool of offered) own.add(tool.function.name)
    const write = (messages: readonly Message[]) =>
      request.write(messages, offered, { origins, told: list, isLast })
    const to = { api: format.name, model: request.model }
    if (unmarked === undefined)
      return write(request.takesMarks ? input.markCache(to, shown, asked.cache) : shown)
    const marked = write(unmarked.mark({ messages: shown, origins }, list))
    return hasMarks(marked) ? marked : write(input.markCache(to, shown))
  }

  const visible = (turn: Turn<ReadAnswer>) => visibleAnswer(turn, own)

  return {
    request,
    own: own as ReadonlySet<string>,
    warnings: managed.warnings,
    /**
     * Asks the upstream until the answer is for the client. `read` takes an answer over.
     *
     * @throws PassedOn for a refusal of the upstream.
     * @throws GatewayFault 502 if the model calls only the engine's tools.
     */
    async run<Answer extends ReadAnswer>(
      read: (response: Response) => Promise<Answer>,
    ): Promise<Turn<Answer>> {
      const turn = await runTurn({
        session: managed,
        messages: list,
        tools: request.tools,
        ask: (asked) =>
          traceModelCall(traced, async () => {
            isReading = false
            const response = await send(input, () => bodyOf(asked), pause)
            isReading = true
            return read(response)
          }),
        maxRounds: rounds,
        signal,
      })
      if (turn.end !== 'too-many-rounds') return turn
      throw new GatewayFault(
        502,
        'no_answer',
        'the model only called tools and gave no answer; ask again, or ask for less',
      )
    },
    visible,
    async finish(turn: Turn<ReadAnswer>): Promise<void> {
      if (request.isSingle && managed.isManaged) {
        const full: HiddenAnswer = turn.messages
        const after = extendPrefix(prefix, [visible(turn)])
        const hash = after.hashes.at(-1)
        const hidden = full.length > 1 && hash !== undefined ? [[hash, full] as const] : []
        await lease.remember(after, new Map(hidden))
      }
      await lease.release()
    },
    async interrupt(partial: AssistantMessage): Promise<void> {
      // Incomplete calls were never made.
      const { tool_calls: _, ...message } = partial
      const isSaid = isReading && !signal.aborted && messageText(message) !== ''
      await managed.observe({ ...(isSaid && { message }), interrupted: true })
    },
  }
}

function isRecoverable(error: unknown): boolean {
  return (
    contextOverflow(error) !== undefined ||
    reasoningRefusal(error) !== undefined ||
    isCompactionRefusal(error)
  )
}

async function send(
  { request, post }: TurnInput,
  bodyOf: () => Loose,
  pause: () => Promise<void> | undefined,
): Promise<Response> {
  for (;;) {
    await pause()
    const sent = bodyOf()
    await pause()
    const response = await post(JSON.stringify(sent), request.headersOf?.(sent))
    if (response.ok) return response
    const { status, headers } = response
    const refusal = await response.text()
    const error = readRefusal(refusal, status)
    if (isRecoverable(error) || !request.isRefusedAddition(sent, refusal, status))
      throw new PassedOn(new Response(refusal, { status, headers }), error)
  }
}

/**
 * The answer without calls of the engine's tools, with the texts of all rounds. Reasoning after a hidden step is bound
 * to that step, and left out.
 */
function visibleAnswer({ answers }: Turn<ReadAnswer>, own: ReadonlySet<string>): AssistantMessage {
  const last = answers.at(-1) ?? answers[0]
  const { content = '', tool_calls: _, ...message } = last.message
  const theirs = toolCallsOf(last.message).filter((call) => !own.has(toolCallName(call)))
  const said = answers.some(({ message }) => Array.isArray(message.content))
    ? (answers.flatMap(({ message }, round) =>
        contentParts(round === 0 ? message : stripReasoning(message)),
      ) as AssistantPart[])
    : joinTexts(answers) || content
  return { ...message, content: said, ...(theirs.length > 0 && { tool_calls: theirs }) }
}

function joinTexts(answers: readonly ReadAnswer[]): string {
  const texts = answers.flatMap(({ message: { content } }) => (typeof content === 'string' && content) || [])
  return texts.join(ROUND_BREAK)
}

function engineTools(request: ChatRequest, { tools }: Prepared): readonly ToolSchema[] {
  if (!request.mayOffer) return []
  return tools.slice(request.tools.length).filter((tool) => !request.toolNames.has(tool.function.name))
}

/** A provider ignores everything before its own compaction, so the length of the list does not matter. */
const WHOLE = { now: 'if-it-fits', 'above-threshold': 'always' } as const

const NOT_MANAGED = 'the engine failed, so the messages were forwarded as they came'

interface ManagedContext extends TurnSession {
  /** False if the engine failed: the client's messages are then sent unchanged. */
  readonly isManaged: boolean
  readonly warnings: readonly string[]
}

/**
 * The session of a conversation, whose failures never refuse an answer.
 *
 * @param list The client's messages, as the session gets them.
 * @param own Names of the offered tools of the engine.
 */
function createManagedContext(
  { request, lease, log, signal }: Pick<TurnInput, 'request' | 'lease' | 'log' | 'signal'>,
  list: readonly Message[],
  own: ReadonlySet<string>,
): ManagedContext {
  const { session } = lease
  const warnings: string[] = session === undefined ? [NOT_MANAGED] : []
  let whole = request.compacts && WHOLE[request.compacts]
  // No other request starts like a compaction.
  const facts = {
    followUp: request.compacts !== 'now',
    offersTools: request.mayOffer && request.compacts === undefined,
    frozen: true,
  }
  let isManaged = session !== undefined

  const noted = <P extends { readonly warnings: readonly Warning[] }>(prepared: P): P => {
    warnings.push(...prepared.warnings.map(({ message }) => message))
    return prepared
  }

  return {
    warnings,
    get isManaged() {
      return isManaged
    },
    async prepare(messages = list, options) {
      if (isManaged && session !== undefined)
        try {
          return noted(await session.prepare(messages, { ...options, ...facts, whole }))
        } catch (error) {
          signal.throwIfAborted()
          isManaged = false
          log(`error: the context of a request is not managed: ${errorText(error)}`)
          warnings.push(NOT_MANAGED)
          lease.fail()
        }
      const steps = messages.slice(list.length) as readonly Message[]
      const tools = [...(options?.tools ?? [])]
      const shown = [...request.messages, ...steps]
      const origins = shown.map((_, index) => ({ from: 'transcript', index, whole: true }) as const)
      const asItCame = { messages: shown, origins, tools, cache: null }
      return { ...asItCame, tokens: 0, compactions: [], warnings: [] }
    },
    async recover(error, options) {
      const isRefusal = error instanceof PassedOn || error instanceof StreamedError
      if (!isRefusal || !isRecoverable(error) || !isManaged || session === undefined) throw error
      try {
        if (whole !== undefined && contextOverflow(error) !== undefined) {
          whole = undefined
          return noted(await session.prepare(undefined, { ...options, ...facts }))
        }
        return noted(await session.recover(error, { ...options, ...facts }))
      } catch (cause) {
        signal.throwIfAborted()
        log(
          `warning: a prompt that the upstream refused could not be made one that it takes: ${errorText(cause)}`,
        )
        throw error
      }
    },
    async observe(response) {
      // Another worker may already write to a lost conversation.
      if (!isManaged || lease.isLost) return
      await session?.observe(response).catch((error) => {
        log(`error: the engine could not take an answer: ${errorText(error)}`)
      })
    },
    answerCall: async (call, options) =>
      own.has(toolCallName(call)) ? session?.answerCall(call, options) : undefined,
  }
}
