import type { Terminal } from '@earendil-works/pi-tui'
import xterm from '@xterm/headless'
import { vi } from 'vitest'

/** Keys as a terminal sends them. */
export const KEYS = {
  enter: '\r',
  newLine: '\n',
  escape: '\x1b',
  up: '\x1b[A',
  down: '\x1b[B',
  ctrlC: '\x03',
  ctrlD: '\x04',
} as const

/** A terminal without a person: takes keys, and shows what would be on its screen. */
export class VirtualTerminal implements Terminal {
  readonly kittyProtocolActive = false
  /** Every byte that was written to it, as it came. */
  written = ''
  isOn = false
  private readonly screen: xterm.Terminal
  private onInput: (data: string) => void = () => {}

  constructor(columns = 80, rows = 24) {
    this.screen = new xterm.Terminal({ cols: columns, rows, scrollback: 5_000, allowProposedApi: true })
  }

  get columns(): number {
    return this.screen.cols
  }

  get rows(): number {
    return this.screen.rows
  }

  start(onInput: (data: string) => void): void {
    this.isOn = true
    this.onInput = onInput
  }

  stop(): void {
    this.isOn = false
  }

  write(data: string): void {
    this.written += data
    this.screen.write(data)
  }

  /** One key after the other; a paste is one. */
  press(...keys: readonly string[]): void {
    for (const key of keys) this.onInput(key)
  }

  /** Writes a text, letter by letter, and sends it. */
  say(text: string): void {
    this.press(...text, KEYS.enter)
  }

  paste(text: string): void {
    this.onInput(`\x1b[200~${text}\x1b[201~`)
  }

  /** What is on the screen, line by line. */
  async lines(): Promise<string[]> {
    const all = await this.everything()
    return all.slice(-this.rows)
  }

  /** What was written since the beginning and not erased, line by line. */
  async everything(): Promise<string[]> {
    await new Promise<void>((resolve) => this.screen.write('', resolve))
    const buffer = this.screen.buffer.active
    return Array.from({ length: buffer.length }, (_, y) =>
      (buffer.getLine(y)?.translateToString(true) ?? '').trimEnd(),
    )
  }

  /** Waits until the text stands somewhere, line ends not counted, and returns all there is. */
  shows(text: string): Promise<string> {
    return vi.waitFor(
      async () => {
        const all = (await this.everything()).join('\n')
        if (!oneLine(all).includes(oneLine(text))) throw new Error(`not shown: ${text}\n${all.trimEnd()}`)
        return all
      },
      { timeout: 60_000, interval: 10 },
    )
  }

  async drainInput(): Promise<void> {}
  moveBy(lines: number): void {
    this.write(lines > 0 ? `\x1b[${lines}B` : lines < 0 ? `\x1b[${-lines}A` : '')
  }
  hideCursor(): void {
    this.write('\x1b[?25l')
  }
  showCursor(): void {
    this.write('\x1b[?25h')
  }
  clearLine(): void {
    this.write('\x1b[K')
  }
  clearFromCursor(): void {
    this.write('\x1b[J')
  }
  clearScreen(): void {
    this.write('\x1b[2J\x1b[H')
  }
  setTitle(): void {}
  setProgress(): void {}
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ')
}
