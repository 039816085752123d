import {
  type Component,
  Container,
  CURSOR_MARKER,
  type Terminal,
  truncateToWidth,
} from '@earendil-works/pi-tui'

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
