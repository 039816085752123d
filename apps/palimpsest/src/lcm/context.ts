import type { Message } from '@palimpsest/core'
import { messageText, toolCallInput, toolCallName, toolCallsOf } from '@palimpsest/core'
import { messageRef, showContext, summaryRef } from '@palimpsest/lcm'
import { createTokenCounter } from '@palimpsest/tokens'
import { colors } from '../colors.ts'
import { counted } from '../count.ts'
import { withStore } from '../stores/with-store.ts'
import { UsageError } from '../usage-error.ts'
import { chooseSession, type SessionFlags } from './choose-session.ts'
import { printJson, printLines } from './output.ts'
import { printable, printableLines } from './printable.ts'
import { readMessageNumber } from './read-range.ts'

export interface ContextFlags extends SessionFlags {
  readonly at?: string
}

export async function context(flags: ContextFlags): Promise<number> {
  const moment = flags.at === undefined ? undefined : readMoment(flags.at)
  return withStore(flags, 'read', async (opened) => {
    const session = await chooseSession(opened, flags.session)
    const tokens = createTokenCounter()
    const { version, summaries, messages, seqs } = await showContext(session, moment)
    const total = messages.reduce((sum, message) => sum + tokens.countMessage(message), 0)
    const refs = seqs.map((seq) => (seq === null ? null : messageRef(seq)))
    if (flags.json) {
      const entries = messages.map((message, index) => ({ ref: refs[index], message }))
      printJson({ version, summaries: summaries.map(summaryRef), tokens: total, messages: entries })
      return 0
    }
    const width = Math.max(1, ...refs.map((ref) => ref?.length ?? 0))
    for (const [index, message] of messages.entries()) {
      const name = (refs[index] ?? '-').padEnd(width)
      printLines(`${colors.cyan(name)}  ${colors.dim(printable(String(message.role)))}`)
      printLines(...textOf(message).map((line) => `    ${line}`))
    }
    const parts = [
      counted(messages.length, 'message'),
      `${counted(summaries.length, 'summary', 'summaries')} in it`,
    ]
    printLines(colors.dim(`version ${version}: ${parts.join(', ')}, ${counted(total, 'token')}`))
    return 0
  })
}

function readMoment(text: string): { readonly message: number } | { readonly version: number } {
  const version = /^\s*(?:version|v)\s*(\d{1,15})\s*$/i.exec(text)?.[1]
  if (version !== undefined) return { version: Number(version) }
  const message = readMessageNumber(text)
  if (message !== undefined) return { message }
  throw new UsageError(
    `--at takes a message such as "m57" or a version such as "version 3", not "${printable(text)}"`,
  )
}

function textOf(message: Message): string[] {
  const calls = toolCallsOf(message).map((call) => `[call] ${toolCallName(call)} ${toolCallInput(call)}`)
  return [messageText(message), ...calls]
    .filter((part) => part !== '')
    .flatMap((part) => printableLines(part).split('\n'))
}
