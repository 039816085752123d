import {
  type Component,
  Container,
  CURSOR_MARKER,
  type Terminal,
  truncateToWidth,
  visibleWidth,
} from '@earendil-works/pi-tui'
import { count } from '../../count.ts'
import type { ChatCosts, ChatStatus } from '../chat-agent.ts'
import { dollars } from '../texts.ts'
import { safeLine } from './safe-text.ts'
import type { ChatTheme } from './theme.ts'

/** Below this height, in rows, the line of the cursor matters more than what frames it. */
const LOW = 10
/** In columns: the editor finds no place for a wide character on fewer, and looks for one until the stack is full. */
const LEAST_WIDTH = 4

/** Holds what a person types into, and keeps the line with the cursor on a screen of few rows. */
export class PromptArea extends Container {
  private readonly terminal: Terminal

  constructor(terminal: Terminal) {
    super()
    this.terminal = terminal
  }

  show(component: Component): void {
    this.clear()
    this.addChild(component)
  }

  override render(width: number): string[] {
    const lines = width < LEAST_WIDTH ? this.squeezed(width) : super.render(width)
    // One row stays for what was said, one for the footer.
    const room = Math.max(1, this.terminal.rows - 2)
    if (this.terminal.rows >= LOW || lines.length <= room) return lines
    const cursor = lines.findIndex((line) => line.includes(CURSOR_MARKER))
    const start = cursor === -1 ? lines.length - room : Math.min(cursor, lines.length - room)
    return lines.slice(start, start + room)
  }
  private squeezed(width: number): string[] {
    return super.render(LEAST_WIDTH).map((line) => truncateToWidth(line, width, ''))
  }
}

const SEPARATOR = ' · '

/** One line below the prompt: tokens, cost, session; what does not fit is left out. */
export class Footer implements Component {
  private readonly theme: ChatTheme
  private parts: readonly string[] = []

  constructor(theme: ChatTheme) {
    this.theme = theme
  }

  update({ promptTokens, threshold, window, id }: ChatStatus, { usd }: ChatCosts): void {
    this.parts = [
      `${count(promptTokens)} tokens`,
      `compacts at ${count(threshold)}`,
      `window ${count(window)}`,
      ...(usd === null ? [] : [dollars(usd)]),
      `session ${safeLine(id)}`,
    ]
  }

  render(width: number): string[] {
    let line = ''
    for (const part of this.parts) {
      const longer = line === '' ? part : `${line}${SEPARATOR}${part}`
      if (visibleWidth(longer) <= width) line = longer
    }
    return [this.theme.dim(truncateToWidth(line, width, ''))]
  }

  invalidate(): void {}
}
