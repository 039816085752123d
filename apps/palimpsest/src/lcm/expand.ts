import type { StoredSession } from '@palimpsest/core'
import { createLcmTools, expandMessage, findMessage, parseRefs, timeText } from '@palimpsest/lcm'
import { colors } from '../colors.ts'
import { withStore } from '../stores/with-store.ts'
import { UsageError } from '../usage-error.ts'
import { chooseSession, type SessionFlags } from './choose-session.ts'
import { printJson, printLines } from './output.ts'
import { printable, printableLines } from './printable.ts'

type ToolAnswer = Readonly<Record<string, unknown>>

export interface ExpandFlags extends SessionFlags {
  readonly form?: 'text' | 'json'
}

export async function expand(id: string, flags: ExpandFlags): Promise<number> {
  const refs = parseRefs([id])
  const [ref] = refs
  const isMessage = ref.kind === 'message' && refs.length === 1 && ref.last === ref.number
  const sources = ref.kind === 'summary' && refs.length === 1 ? 'sources' : 'messages'
  return withStore(flags, 'read', async (opened) => {
    const session = await chooseSession(opened, flags.session)
    const answer = isMessage
      ? await readMessage(session, ref.number, flags)
      : await readSources(session, id, sources, flags)
    if (flags.json) printJson(answer)
    else if (isMessage) printMessage(answer)
    else printSources(answer, sources)
    return 0
  })
}

/** Reads the message in one piece, because the tool's pages are made for a model's context. */
async function readMessage(
  session: StoredSession,
  seq: number,
  { form = 'text' }: ExpandFlags,
): Promise<ToolAnswer> {
  const message = await findMessage({ session }, seq)
  const { forgotten } = message
  if (forgotten !== undefined)
    throw new UsageError(
      `m${seq} was deleted on request at ${timeText(forgotten.at)} (${printable(forgotten.reason)})`,
    )
  return expandMessage(message, {
    ...{ offset: 0, limit: Number.POSITIVE_INFINITY, characters: Number.POSITIVE_INFINITY },
    form,
  })
}

type Sources = 'sources' | 'messages'

async function readSources(
  session: StoredSession,
  id: string,
  list: Sources,
  flags: ExpandFlags,
): Promise<ToolAnswer> {
  const tools = createLcmTools({ open: async () => session, clock: { now: Date.now } })
  const page = async (offset: unknown): Promise<ToolAnswer> => {
    const asked = { id, offset, ...(flags.form && { form: flags.form }) }
    const answer = JSON.parse(await tools.call('lcm_expand', asked)) as ToolAnswer
    if (typeof answer.error === 'string') throw new UsageError(answer.error)
    return answer
  }
  let whole = await page(0)
  while (typeof whole.next === 'number') {
    const { next = null, [list]: more } = await page(whole.next)
    whole = { ...whole, [list]: [...(whole[list] as unknown[]), ...(more as unknown[])], next }
  }
  return whole
}

function printMessage(answer: ToolAnswer): void {
  const { ref, role, time, replaced } = answer
  const text = String(answer.text)
  if (!process.stdout.isTTY) {
    printLines(text)
    return
  }
  const mark = replaced === true ? ', replaced' : ''
  printLines(colors.dim(`${ref}  ${printable(String(role))}  ${time}${mark}`), printableLines(text))
}

function printSources(answer: ToolAnswer, list: Sources): void {
  const { ref, covers, depth, total } = answer
  if (list === 'sources')
    printLines(colors.dim(`${ref}  depth ${depth}, covers ${covers}, made from ${total}`))
  for (const source of answer[list] as ToolAnswer[]) {
    const what = source.role === undefined ? `depth ${source.depth}, covers ${source.covers}` : source.role
    const time = source.time ?? `${source.from} to ${source.to}`
    printLines('', `${colors.cyan(String(source.ref))}  ${colors.dim(`${printable(String(what))}  ${time}`)}`)
    printLines(printableLines(String(source.text)))
    if (source.cut !== undefined) printLines(colors.dim(`(${cutNote(source)})`))
  }
}

function cutNote({ cut, ref, role }: ToolAnswer) {
  const size = String(cut).split(';')[0]
  return role === undefined ? size : `${size}; palimpsest lcm expand ${ref} shows all of it`
}
