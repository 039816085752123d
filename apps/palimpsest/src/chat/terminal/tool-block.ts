import { type Component, truncateToWidth } from '@earendil-works/pi-tui'
import { safeLine } from './safe-text.ts'
import type { ChatTheme } from './theme.ts'

/** Characters of what a call is about, before it is cut to the line. */
const SUMMARY_LENGTH = 400

/** A call of a tool on one line, and how it ended once it did. */
export class ToolBlock implements Component {
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
