import { roughTokenCounter } from '../budget/rough-token-counter.ts'
import { isEngineDefinition } from '../engine/define-context-engine.ts'
import { InvalidEngineError } from '../errors/invalid-engine-error.ts'
import { InvalidOptionError } from '../errors/invalid-option-error.ts'
import { SessionEndedError } from '../errors/session-ended-error.ts'
import type { Message } from '../spec/v1/message.ts'
import { createSerialQueue } from './serial-queue.ts'
import { SessionCore } from './session-core.ts'
import type {
  ContextSession,
  ContextSessionOptions,
  HostMessage,
  HostTool,
  Prepared,
  PrepareOptions,
} from './session-types.ts'
import { snapshotMessages } from './transcript-ledger.ts'

/**
 * Puts an engine to work for one conversation.
 *
 * @throws InvalidEngineError when `engine` is not what `defineContextEngine` returned.
 * @throws InvalidOptionError for a window that is not a positive number of tokens, for an answer that takes all of it, and for
 * options that the engine refuses.
 */
export function createContextSession<Options = Record<string, unknown>>(
  input: ContextSessionOptions<Options>,
): ContextSession {
  const { contextLength, maxOutputTokens = 0, tokens = roughTokenCounter, model, cache } = input
  if (!isEngineDefinition(input.engine))
    throw new InvalidEngineError('engine must be what defineContextEngine() returned')
  assertWindow(contextLength)
  assertReserve(maxOutputTokens, contextLength)
  const id = input.sessionId ?? globalThis.crypto.randomUUID()
  const engine = input.engine.create((input.options ?? {}) as Options, {
    contextLength,
    maxOutputTokens,
    tokens,
    clock: input.clock ?? { now: Date.now },
    sessionId: id,
    ...(model !== undefined && { model }),
  })
  const core = new SessionCore({
    id,
    engine,
    tokens,
    contextLength,
    maxOutputTokens,
    modelName: input.modelName,
    platform: input.platform,
    dataFolder: input.dataFolder,
    enabled: input.enabled ?? true,
    cache,
    compactAt: input.compactAt ?? 'threshold',
    restored: input.restored,
  })
  const enqueue = createSerialQueue()
  let ended: Promise<void> | undefined

  const run = async <T>(method: string, task: () => Promise<T>, signal?: AbortSignal): Promise<T> => {
    if (ended !== undefined) throw new SessionEndedError(method)
    return enqueue(task, signal)
  }

  return {
    id,
    engine,
    get transcript() {
      return core.transcript
    },
    get lastCompaction() {
      return core.lastCompaction
    },
    get stored() {
      return core.stored
    },
    async prepare<Tool extends HostTool>(
      messages?: readonly HostMessage[],
      options: PrepareOptions<Tool> = {},
    ): Promise<Prepared<Tool>> {
      // Messages and tools of a host are read with care, whatever their types say.
      const told = messages as readonly Message[] | undefined
      // A call that begins at once reads the list before it returns; one that waits needs a copy.
      const list = told === undefined || enqueue.idle ? told : snapshotMessages(told)
      return run('prepare', () => core.prepare(list, options as PrepareOptions), options.signal) as Promise<
        Prepared<Tool>
      >
    },
    async append(messages) {
      const list = snapshotMessages(messages as readonly Message[])
      return run('append', async () => core.append(list))
    },
    observe: (response) => run('observe', () => core.observe(response)),
    callTool: (name, args, { signal } = {}) =>
      run('callTool', () => core.callTool(name, args, signal), signal),
    answerCall: (call, { signal } = {}) => run('answerCall', () => core.answerCall(call, signal), signal),
    compact: (options = {}) => run('compact', () => core.compact(options), options.signal),
    undoCompaction: () => run('undoCompaction', () => core.undoCompaction()),
    recover: <Tool extends HostTool>(error: unknown, options: PrepareOptions<Tool> = {}) =>
      run('recover', () => core.recover(error, options as PrepareOptions), options.signal) as Promise<
        Prepared<Tool>
      >,
    updateModel: (update) =>
      run('updateModel', async () => {
        assertWindow(update?.contextLength)
        core.updateModel(update)
      }),
    reset: () => run('reset', () => core.reset()),
    end() {
      ended ??= enqueue(() => core.end())
      return ended
    },
    subscribe: core.subscribe,
  }
}

function assertWindow(contextLength: unknown): void {
  if (typeof contextLength === 'number' && Number.isFinite(contextLength) && contextLength > 0) return
  throw new InvalidOptionError(
    'contextLength',
    `contextLength must be the model's window in tokens, a number above 0, and is ${String(contextLength)}`,
  )
}

function assertReserve(maxOutputTokens: unknown, contextLength: number): void {
  if (typeof maxOutputTokens === 'number' && maxOutputTokens >= 0 && maxOutputTokens < contextLength) return
  throw new InvalidOptionError(
    'maxOutputTokens',
    `maxOutputTokens must leave room in the window of ${contextLength} tokens, and is ${String(maxOutputTokens)}`,
  )
}
