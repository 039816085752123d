import { type Component, truncateToWidth } from '@earendil-works/pi-tui'
import { safeLine, safeStart } from './safe-text.ts'
import type { ChatTheme } from './theme.ts'

/** How much of a tool's result is shown. */
const PREVIEW = { lines: 3, characters: 600 }
/** Characters of what a call is about, before it is cut to the line. */
const SUMMARY_LENGTH = 400

export interface ToolResult {
  readonly ok: boolean
  readonly result: string
  /** In milliseconds. */
  readonly took: number
}

/** A call of a tool on one line, with the beginning of its result below once it is there. */
export class ToolBlock implements Component {
  private readonly theme: ChatTheme
  private readonly call: string
  private state = 'running'
  private end: ToolResult | undefined

  constructor(theme: ChatTheme, name: string, summary: string) {
    this.theme = theme
    this.call = safeLine(`${name} ${summary.slice(0, SUMMARY_LENGTH)}`)
  }

  finish(end: ToolResult): void {
    this.end = end
    this.state = `${end.ok ? 'ok' : 'failed'}, ${duration(end.took)}`
  }

  /** It will not end any more. */
  abandon(): void {
    if (this.end === undefined) this.state = 'stopped'
  }

  render(width: number): string[] {
    const { dim, good, bad, caution } = this.theme
    const color = this.end === undefined ? caution : this.end.ok ? good : bad
    // The state must be seen on a narrow terminal, too; what the call is about gives way to it.
    const state = ` (${this.state})`
    const call = truncateToWidth(`* ${this.call}`, Math.max(4, width - state.length), '…')
    const lines = [truncateToWidth(`${color(call)}${dim(state)}`, width, '')]
    return this.end === undefined ? lines : [...lines, ...this.preview(this.end, width)]
  }

  invalidate(): void {}

  private preview({ result }: ToolResult, width: number): string[] {
    const { lines, more } = safeStart(result.trimEnd(), PREVIEW)
    const shown = lines.filter((line) => line.trim() !== '')
    return [...shown, ...(more === undefined ? [] : [more])].map((line) =>
      this.theme.dim(truncateToWidth(`  ${line}`, width, '…')),
    )
  }
}

function duration(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`
}
