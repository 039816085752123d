import { type Component, Markdown, truncateToWidth } from '@earendil-works/pi-tui'
import type { ChatEvent, TurnEnd } from '../chat-agent.ts'
import { describeCompaction, ENDS, failureLine } from '../texts.ts'
import type { ChatScreen } from './chat-screen.ts'
import { safeLine, safeStart, safeText } from './safe-text.ts'
import type { ChatTheme } from './theme.ts'

const PREVIEW = { lines: 3, characters: 600 }

/** The beginning of a tool's result, a line each. */
class ToolPreview implements Component {
  private readonly theme: ChatTheme
  private readonly lines: readonly string[]

  constructor(theme: ChatTheme, result: string) {
    this.theme = theme
    const { lines, more } = safeStart(result.trimEnd(), PREVIEW)
    this.lines = [...lines.filter((line) => line.trim() !== ''), ...(more === undefined ? [] : [more])]
  }

  render(width: number): string[] {
    return this.lines.map((line) => this.theme.dim(truncateToWidth(`  ${line}`, width, '…')))
  }

  invalidate(): void {}
}

/** One turn on the screen. */
export interface TurnView {
  on(event: ChatEvent): void
  end(end: TurnEnd): void
  /** `hasQuestion`: one waits for its answer, so that it can be asked again. */
  fail(error: unknown, state: { readonly isStopped: boolean; readonly hasQuestion: boolean }): void
}

export function createTurnView(
  screen: ChatScreen,
  theme: ChatTheme,
  onPrompt: (tokens: number) => void,
): TurnView {
  const tools = new Map<string, ToolBlock>()
  let answer: AnswerBlock | undefined
  let hasText = false

  function write(text: string): void {
    if (answer === undefined) {
      answer = new AnswerBlock(theme)
      screen.add(answer, true)
    }
    hasText ||= text.trim() !== ''
    answer.append(text)
    screen.redraw()
  }

  function close(): void {
    for (const tool of tools.values()) tool.abandon()
    screen.redraw()
  }

  return {
    on(event) {
      if (event.type === 'text') return write(event.text)
      // The next output stands behind the text so far.
      if (event.type !== 'usage') answer = undefined
      switch (event.type) {
        case 'tool-start': {
          const tool = new ToolBlock(theme, event.name, event.summary)
          tools.set(event.id, tool)
          return screen.add(tool)
        }
        case 'tool-end':
          tools.get(event.id)?.finish(event)
          // At the end: what the person was asked stands between the call and its result.
          return screen.add(new ToolPreview(theme, event.result))
        case 'compaction':
          return screen.print(describeCompaction(event.result), 'dim')
        case 'warning':
          return screen.print(event.warning.message, 'caution')
        case 'usage':
          return onPrompt(event.usage.promptTokens)
      }
    },
    end({ reason, text }) {
      close()
      // A model that does not stream says everything at the end.
      if (!hasText && text.trim() !== '') write(text)
      if (reason !== 'answered') screen.print(ENDS[reason], 'dim')
    },
    fail(error, { isStopped, hasQuestion }) {
      close()
      if (isStopped) screen.print(ENDS.stopped, 'dim')
      else screen.print(`${failureLine(error)}${hasQuestion ? ' /retry asks again.' : ''}`, 'bad')
    },
  }
}

/** An answer that grows while the model writes it, as Markdown. */
class AnswerBlock implements Component {
  private text = ''
  private isStale = false
  private readonly markdown: Markdown

  constructor(theme: ChatTheme) {
    // A dollar sign in what a coding agent says is hardly ever mathematics.
    const options = { renderLatex: false, preserveOrderedListMarkers: true, preserveBackslashEscapes: true }
    this.markdown = new Markdown('', 0, 0, theme.markdown, undefined, options)
  }

  append(text: string): void {
    this.text += text
    this.isStale = true
  }

  render(width: number): string[] {
    // Made safe as a whole and once a frame: a piece may end within a character.
    if (this.isStale) this.markdown.setText(safeText(this.text))
    this.isStale = false
    return this.markdown.render(width)
  }

  invalidate(): void {
    this.markdown.invalidate()
  }
}

/** Characters of what a call is about, before it is cut to the line. */
const SUMMARY_LENGTH = 400

/** A call of a tool on one line, and how it ended once it did. */
class ToolBlock implements Component {
  private readonly theme: ChatTheme
  private readonly call: string
  private state = 'running'
  private isOk: boolean | undefined

  constructor(theme: ChatTheme, name: string, summary: string) {
    this.theme = theme
    this.call = safeLine(`${name} ${summary.slice(0, SUMMARY_LENGTH)}`)
  }

  /** `took`: in milliseconds. */
  finish({ ok, took }: { readonly ok: boolean; readonly took: number }): void {
    this.isOk = ok
    this.state = `${ok ? 'ok' : 'failed'}, ${duration(took)}`
  }

  /** It will not end any more. */
  abandon(): void {
    if (this.isOk === undefined) this.state = 'stopped'
  }

  render(width: number): string[] {
    const { dim, good, bad, caution } = this.theme
    const color = this.isOk === undefined ? caution : this.isOk ? good : bad
    // The state must be seen on a narrow terminal, too; what the call is about gives way to it.
    const state = ` (${this.state})`
    const call = truncateToWidth(`* ${this.call}`, Math.max(4, width - state.length), '…')
    return [truncateToWidth(`${color(call)}${dim(state)}`, width, '')]
  }

  invalidate(): void {}
}

function duration(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`
}
