import {
  type AssistantMessage,
  type CachePlan,
  contextOverflow,
  errorText,
  type Loose,
  type Message,
  messageText,
  type Prepared,
  type ToolCall,
  type ToolSchema,
  toolCallInput,
  toolCallName,
  toolCallsOf,
} from '@palimpsest/core'
import type { Lease } from '../conversations/lease.ts'
import { type ChatRequest, ROUND_BREAK, type WireFormat } from '../formats/wire-format.ts'
import { GatewayFault } from '../http/gateway-fault.ts'
import { parseJson } from '../parse-json.ts'
import { withoutCacheMarks } from '../recognition/cache-marks.ts'
import { type HiddenAnswer, restoreHidden } from '../recognition/hidden-answers.ts'
import { extendTrail, type Trail } from '../recognition/trail.ts'

/** Returns messages with the breakpoints of a plan, in the way in which the upstream takes them for a model. */
export type MarkCache = (
  model: string,
  messages: readonly Message[],
  plan: CachePlan | null,
) => readonly Message[]

export interface TurnInput {
  readonly format: Pick<WireFormat, 'readRefusal'>
  readonly request: ChatRequest
  /** That of the client's list. */
  readonly trail: Trail
  readonly lease: Lease
  /** Sends a body to the upstream. */
  readonly post: (body: string) => Promise<Response>
  /** Writes a plan's breakpoints where the client sets none. */
  readonly markCache: MarkCache
  /** Requests to the upstream for one answer. */
  readonly rounds: number
  readonly log: (line: string) => void
  readonly signal: AbortSignal
}

/** One request of a client, which may take several to the upstream. */
export interface Turn {
  readonly request: ChatRequest
  /** Names of tools that the client must not see. */
  readonly own: ReadonlySet<string>
  /** What was degraded, for people. */
  readonly warnings: readonly string[]
  /**
   * The next request to the upstream, made smaller once when it says that it is too long. What the upstream refuses is
   * returned as it came.
   */
  send(): Promise<Response>
  /**
   * Takes an answer and runs the engine's tools that it calls. Resolves to true when the model has to be asked again.
   *
   * @throws GatewayFault 502 when it calls them again and again.
   */
  take(answer: AssistantMessage, usage: Loose | undefined): Promise<boolean>
  /** The client's part of the whole answer. */
  readonly visible: AssistantMessage
  /**
   * The answer is whole: it is remembered, and the conversation is free for the next request.
   *
   * @throws GatewayFault 409 when another worker has taken the conversation over.
   */
  finish(): Promise<void>
  /** The answer broke off; `partial`: what arrived of it. */
  interrupt(partial?: AssistantMessage): Promise<void>
}

const NOT_MANAGED = 'the engine failed, so the messages were forwarded as they came'

export function createTurn(input: TurnInput): Turn {
  const { format, request, trail, lease, post, markCache, rounds, log, signal } = input
  const { session } = lease
  const { messages: plain, mark } = withoutCacheMarks(request.messages)
  const list = restoreHidden(plain, trail, lease.hidden)
  const steps: Message[] = []
  const texts: string[] = []
  const warnings: string[] = []
  const own = new Set<string>()
  let last: { readonly answer: AssistantMessage; readonly results: readonly Message[] } | undefined
  let round = 0
  let isManaged = session !== undefined
  if (!isManaged) warnings.push(NOT_MANAGED)

  const giveUp = (error: unknown): void => {
    signal.throwIfAborted()
    isManaged = false
    log(`error: the context of a request is not managed: ${errorText(error)}`)
    warnings.push(NOT_MANAGED)
    lease.fail()
  }

  const isOwn = (call: ToolCall): boolean => own.has(toolCallName(call))

  const prepare = async (): Promise<Prepared | undefined> => {
    if (!isManaged || session === undefined) return undefined
    try {
      return await session.prepare([...list, ...steps], { tools: request.tools, signal })
    } catch (error) {
      giveUp(error)
      return undefined
    }
  }

  /** With the client's own breakpoints, or with ours: never with both. */
  const marked = (prepared: Prepared): readonly Message[] =>
    request.isMarked ? mark(prepared, list) : markCache(request.model, prepared.messages, prepared.cache)

  const bodyOf = (prepared: Prepared | undefined): Loose => {
    const messages = prepared === undefined ? [...request.messages, ...steps] : marked(prepared)
    const offered = prepared === undefined || round + 1 >= rounds ? [] : engineTools(prepared)
    for (const tool of offered) own.add(tool.function.name)
    return request.write(messages, offered)
  }

  const engineTools = ({ tools }: Prepared): readonly ToolSchema[] =>
    request.mayOffer
      ? tools.slice(request.tools.length).filter((tool) => !request.toolNames.has(tool.function.name))
      : []

  /** What to send instead of a prompt that was too long; undefined when nothing helps, or was tried. */
  const shorten = async (error: object): Promise<Prepared | undefined> => {
    if (!isManaged || session === undefined) return undefined
    try {
      return await session.recover(error, { tools: request.tools, signal })
    } catch (cause) {
      signal.throwIfAborted()
      log(`warning: a prompt was too long for the upstream, and could not be shortened: ${errorText(cause)}`)
      return undefined
    }
  }

  const runTools = async (calls: readonly ToolCall[]): Promise<Message[]> => {
    const results: Message[] = []
    for (const call of calls) {
      const input = toolCallInput(call)
      const args = input === '' ? {} : (parseJson(input) ?? input)
      const content = await (session?.callTool(toolCallName(call), args, { signal }) ?? '{}')
      results.push({ role: 'tool', tool_call_id: call.id, content })
    }
    return results
  }

  const observe = async (observed: Parameters<NonNullable<typeof session>['observe']>[0]): Promise<void> => {
    // What another worker may be writing to by now is its own.
    if (!isManaged || lease.isLost) return
    await session?.observe(observed).catch((error) => {
      log(`error: the engine could not take an answer: ${errorText(error)}`)
    })
  }

  const visible = (): AssistantMessage => {
    const { content = '', ...rest } = last?.answer ?? { role: 'assistant' as const }
    const theirs = toolCallsOf(rest).filter((call) => !isOwn(call))
    const { tool_calls: _, ...message } = rest
    const said = texts.length === 0 || Array.isArray(content) ? content : texts.join(ROUND_BREAK)
    return { ...message, content: said, ...(theirs.length > 0 && { tool_calls: theirs }) }
  }

  return {
    request,
    own,
    warnings,
    async send() {
      let prepared = await prepare()
      for (;;) {
        for (const { message } of prepared?.warnings ?? []) warnings.push(message)
        const sent = bodyOf(prepared)
        const response = await post(JSON.stringify(sent))
        if (response.ok) return response
        const { status, headers } = response
        const refusal = await response.text()
        const error = format.readRefusal(refusal, status)
        const isTooLong = contextOverflow(error) !== undefined
        if (!isTooLong && request.isRefusedAddition(sent, refusal, status)) continue
        prepared = isTooLong ? await shorten(error) : undefined
        if (prepared === undefined) return new Response(refusal, { status, headers })
      }
    },
    async take(answer, usage) {
      await observe({ message: answer, ...(usage && { usage }) })
      if (typeof answer.content === 'string' && answer.content !== '') texts.push(answer.content)
      const calls = toolCallsOf(answer)
      const mine = calls.filter(isOwn)
      const results = await runTools(mine)
      if (mine.length === 0 || mine.length < calls.length) {
        last = { answer, results }
        return false
      }
      round++
      if (round >= rounds)
        throw new GatewayFault(502, 'no_answer', 'the model called tools again and again and gave no answer')
      steps.push(answer, ...results)
      return true
    },
    get visible() {
      return visible()
    },
    async finish() {
      if (request.isSingle && last !== undefined && isManaged) {
        const full: HiddenAnswer = [...steps, last.answer, ...last.results]
        const after = extendTrail(trail, [visible()])
        const hash = after.hashes.at(-1)
        const hidden = full.length > 1 && hash !== undefined ? [[hash, full] as const] : []
        await lease.remember(after, new Map(hidden))
      }
      await lease.release()
    },
    async interrupt(partial) {
      // Calls that are not whole were never made.
      const { tool_calls: _, ...message } = partial ?? { role: 'assistant' as const, content: '' }
      const isSaid = messageText(message) !== ''
      await observe({ ...(isSaid && { message }), interrupted: true })
    },
  }
}
