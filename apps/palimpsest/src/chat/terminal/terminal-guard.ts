import { Console } from 'node:console'
import { Writable } from 'node:stream'
import type { ChatScreen } from './chat-screen.ts'

export interface TerminalGuard {
  /** Called when the screen is taken. */
  begin(screen: Pick<ChatScreen, 'print' | 'stop'>): void
  end(): void
}

/** Gives the terminal back however the program ends, and keeps what engines print from tearing the screen. */
export function createTerminalGuard(): TerminalGuard {
  const before = globalThis.console
  let restore: (() => void) | undefined
  return {
    begin(screen: Pick<ChatScreen, 'print' | 'stop'>): void {
      restore = () => screen.stop()
      process.on('exit', restore)
      // Before those of the program, which say what happened and end it.
      process.prependListener('uncaughtException', restore).prependListener('unhandledRejection', restore)
      globalThis.console = new Console(linesTo((line) => screen.print(line, 'dim')))
    },
    end(): void {
      globalThis.console = before
      if (restore === undefined) return
      for (const event of ['exit', 'uncaughtException', 'unhandledRejection']) process.off(event, restore)
    },
  }
}

function linesTo(print: (line: string) => void): Writable {
  return new Writable({
    decodeStrings: false,
    write(text: string, _encoding, done) {
      print(text.trimEnd())
      done()
    },
  })
}
