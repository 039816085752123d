import { createPause, inSlices, type Message, type TokenCounter } from '@palimpsest/core'
import { EXCERPTS_HEADING } from './excerpts/excerpt.ts'
import { APPENDIX_HEADING, identifierAppendix } from './identifiers/identifier-appendix.ts'
import { type IdentifierMemory, memoryOf } from './identifiers/identifier-memory.ts'
import { quoteLines } from './summarize-extractively.ts'

/** The parts of a summary. Derived blocks are kept apart, so that they are never summarised again. */
export interface SummaryFrame {
  /** The text of a model. Empty without one. */
  readonly prose: string
  /** The block of quoted lines, with its heading. */
  readonly excerpts: string
  /** The block of identifiers, with its heading. */
  readonly identifiers: string
}

/** The input of {@link frameSummary}. */
export interface FrameInput {
  /** The text of a model; empty without one. */
  readonly prose: string
  /** The messages that the summary stands for, secrets hidden, oldest first. */
  readonly messages: readonly Message[]
  /** The summary that this one brings up to date. */
  readonly earlier: SummaryFrame
  /** Messages that stay beside the summary: they are not quoted, and their identifiers are not listed. */
  readonly visible: readonly Message[]
  /** The user's last message, where it stands beside the summary. */
  readonly request?: Message | undefined
  /** Mentions of the whole conversation. */
  readonly memory: IdentifierMemory
  /** Identifiers that may be listed: everything that the memory knows (default), or what `messages` and `earlier` hold. */
  readonly scope?: 'messages' | 'conversation'
  readonly focusTopic?: string | undefined
  /** Marks a quoted message by its index; default: turns. */
  readonly mark?: ((index: number) => string) | undefined
  /** Hard bounds of the two blocks, in tokens of `tokens`. */
  readonly excerptTokens: number
  readonly identifierTokens: number
  readonly tokens: TokenCounter
}

const BLOCKS: ReadonlyMap<string, 'excerpts' | 'identifiers'> = new Map([
  [EXCERPTS_HEADING, 'excerpts'],
  [APPENDIX_HEADING, 'identifiers'],
])

/**
 * The text of a summary: what a model wrote, if one did, then quoted lines of the conversation, then the identifiers that
 * neither of them holds. So a model's text has room for reasons and plans, and a summary without a model still says what
 * was said. A long list is read in slices, so that it holds up nothing else.
 */
export async function frameSummary(input: FrameInput): Promise<string> {
  const { prose, messages, earlier, visible, request, focusTopic, mark, tokens } = input
  const { scope = 'conversation', excerptTokens, identifierTokens } = input
  const memory = memoryOf(input)
  const pause = createPause()
  const excerpts = await inSlices(
    quoteLines({
      messages,
      visible,
      previousSummary: earlier.excerpts,
      request,
      focusTopic,
      maxTokens: excerptTokens,
      identifierTokens,
      memory,
      mark,
      tokens,
    }),
  )
  await pause()
  const identifiers = identifierAppendix({
    messages,
    covered: `${prose}\n${excerpts}`,
    visible,
    // Values that an earlier summary listed and the new one drops are caught here.
    previousAppendix: `${earlier.identifiers}\n${earlier.prose}`,
    memory,
    scope,
    // The names of files take from the room of names.
    maxTokens: Math.min(identifierTokens, identifierTokens + excerptTokens - tokens.countText(excerpts)),
    tokens,
  })
  await pause()
  return [demote(prose), excerpts, identifiers]
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join('\n\n')
}

/** The parts of a summary's text; everything outside our blocks is prose. */
export function readFrame(text: string): SummaryFrame {
  const parts = { prose: [] as string[], excerpts: [] as string[], identifiers: [] as string[] }
  let part: keyof typeof parts = 'prose'
  for (const line of text.split('\n')) {
    if (line.startsWith('## ')) part = BLOCKS.get(line) ?? 'prose'
    parts[part].push(line)
  }
  return {
    prose: parts.prose.join('\n').trim(),
    excerpts: parts.excerpts.join('\n').trim(),
    identifiers: parts.identifiers.join('\n').trim(),
  }
}

/** Only we write the derived blocks: a model that writes one of their headings does not speak for the user. */
function demote(prose: string): string {
  return prose.replace(/^## .*$/gm, (line) => (BLOCKS.has(line) ? `#${line}` : line))
}
