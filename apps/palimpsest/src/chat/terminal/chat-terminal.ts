import { ProcessTerminal } from '@earendil-works/pi-tui'
import { enterAhead } from './enter-ahead.ts'
import { gatherPaste } from './gather-paste.ts'

type Listener = (data: string) => void

/** This process's terminal, which takes a large paste at once, and what was typed while the program started. */
export class ChatTerminal extends ProcessTerminal {
  private gathering: Listener[] = []

  override start(onInput: (data: string) => void, onResize: () => void): void {
    // What was typed until now stands on this line; it comes again as input.
    this.write('\r\x1b[2K')
    const before = process.stdin.listeners('data')
    super.start(onInput, onResize)
    const added = process.stdin.listeners('data').filter((listener) => !before.includes(listener))
    for (const listener of added) {
      const gather = gatherPaste(enterAhead((data) => listener(data)))
      process.stdin.off('data', listener as Listener).on('data', gather)
      this.gathering.push(gather)
    }
  }

  override stop(): void {
    for (const gather of this.gathering) process.stdin.off('data', gather)
    this.gathering = []
    super.stop()
  }
}
