import { randomBytes } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type Clock, PalimpsestError } from '@palimpsest/core'
import { engineOrigin } from '../../engines/engine-origin.ts'
import { OFFLINE_MODEL } from '../../serve/models/offline-answerer.ts'
import type { ServiceEngineFlags } from '../../serve/service-engine.ts'
import { UsageError } from '../../usage-error.ts'
import { type ChatRecord, createChatRecord, openChatRecord } from '../records/chat-record.ts'
import { listChats } from '../records/list-chats.ts'
import { recordPaths } from '../records/record-line.ts'
import type { ChatAgentInput } from './chat-agent-input.ts'
import { type ChatEngine, type ChatEngineInput, openChatEngine } from './chat-engine.ts'

/** A chat at work: what was said, and the engine that manages it. */
export interface OpenChat {
  readonly record: ChatRecord
  readonly engine: ChatEngine
}

export interface ChatOpener {
  /**
   * A new chat, or an old one. `isChosen`: the engine of the flags was chosen in a chat.
   *
   * @throws UsageError and leaves nothing behind.
   */
  open(flags: ServiceEngineFlags, resume?: string, isChosen?: boolean): Promise<OpenChat>
  /** Another engine for the same chat, chosen in it. @throws UsageError */
  openChosen(record: ChatRecord, flags: ServiceEngineFlags): Promise<ChatEngine>
  /** Ends the engine, and then lets go of the record. */
  close(chat: OpenChat): Promise<void>
}

interface ChatOpenerInput extends Pick<ChatEngineInput, 'reader' | 'summarizer' | 'cache'> {
  readonly input: ChatAgentInput
  /** The real path. */
  readonly workspace: string
}

/** Codes that say that an engine is not there. */
const NO_ENGINE: ReadonlySet<string> = new Set(['UNKNOWN_ENGINE', 'ENGINE_UNAVAILABLE'])

export function createChatOpener({ input, workspace, ...parts }: ChatOpenerInput): ChatOpener {
  const { home, clock } = input

  const openEngine = (record: ChatRecord, flags: ServiceEngineFlags, origin: ChatEngineInput['origin']) =>
    openChatEngine({ ...input, ...parts, flags, origin, id: record.id, last: record })

  const openChosen: ChatOpener['openChosen'] = (record, flags) =>
    openEngine(record, flags, () => ', chosen with /engine')

  const chosen = (record: ChatRecord, flags: ServiceEngineFlags): Promise<ChatEngine> =>
    openEngine(record, flags, (name) => engineOrigin(name, input.configuration, flags.engine, 'the default'))

  /** The engine that a chat was on; the one of the configuration where that is not there any more. */
  const lastEngine = async (record: ChatRecord, flags: ServiceEngineFlags): Promise<ChatEngine> => {
    try {
      return await openEngine(record, { ...flags, engine: record.engine }, () => ', that of this session')
    } catch (error) {
      if (!PalimpsestError.isInstance(error) || !NO_ENGINE.has(error.code)) throw error
      const other = await chosen(record, flags)
      // The configuration may know an engine by the name of its package.
      if (other.name === record.engine) return other
      const warning = `this session was on the engine ${record.engine}, which is not there; it goes on with ${other.name}`
      return { ...other, warnings: [...other.warnings, warning] }
    }
  }

  const begin = (): ChatRecord => {
    // The engine's name is noted when it is known.
    const facts = { workspace, created: clock.now(), engine: '', model: input.model?.name ?? OFFLINE_MODEL }
    return createChatRecord(home, { type: 'chat', format: 1, id: chatId(clock), ...facts }, clock)
  }

  const release = async (record: ChatRecord): Promise<void> => {
    await record.close()
    if (record.isEmpty) await removeTraces(home, record.id)
  }

  return {
    openChosen,
    async open(flags, resume, isChosen = false) {
      const record =
        resume === undefined
          ? begin()
          : await openChatRecord(home, await findChat(home, resume, workspace), clock)
      try {
        const isOwnChoice = resume === undefined || flags.engine !== undefined
        const own = isChosen ? openChosen : chosen
        const opened = await (isOwnChoice ? own : lastEngine)(record, flags)
        if (opened.name !== record.engine) await record.noteEngine(opened.name)
        return { record, engine: opened }
      } catch (error) {
        await release(record)
        throw error
      }
    },
    async close({ record, engine }) {
      try {
        await engine.close()
      } finally {
        await release(record)
      }
    },
  }
}

/**
 * A new id: the time, so that files sort by it, and something that two chats of one second do not share, on whichever
 * machines: they may keep what they know in one database.
 */
function chatId(clock: Clock): string {
  const [day = '', time = ''] = new Date(clock.now()).toISOString().replace(/[-:]/g, '').split(/[T.]/)
  return `${day}-${time}-${randomBytes(4).toString('hex')}`
}

/**
 * The id that `resume` means: `latest` is the last chat that began in the workspace.
 *
 * @param workspace its real path.
 * @throws UsageError when there is none.
 */
async function findChat(home: string, resume: string, workspace: string): Promise<string> {
  if (resume !== 'latest') return resume
  const chats = await listChats(home)
  const latest = chats.find((chat) => chat.workspace === workspace)
  if (latest !== undefined) return latest.id
  throw new UsageError(
    `there is no session to resume that began in ${workspace}; palimpsest chat --list shows those of other folders`,
  )
}

/** Removes what a chat in which nothing was said has left: its lock, and the stores of its engines. */
async function removeTraces(home: string, id: string): Promise<void> {
  const { lock, store } = recordPaths(home, id)
  const names = await readdir(dirname(store)).catch(() => [])
  const stores = names.filter((name) => name.startsWith(`${basename(store)}.`))
  for (const path of [lock, ...stores.map((name) => join(dirname(store), name))])
    await rm(path, { force: true })
}
