import type { WhileSeen } from './following-store.ts'

/**
 * Runs something while a person can see the page, and ends it while the page is in the background: a browser has six
 * connections to one service for all of its tabs together.
 */
export const whileSeen: WhileSeen = (run) => {
  let turn: AbortController | undefined
  const look = () => {
    if (document.visibilityState === 'hidden') {
      turn?.abort()
      turn = undefined
    } else if (turn === undefined) {
      turn = new AbortController()
      run(turn.signal)
    }
  }
  document.addEventListener('visibilitychange', look)
  look()
  return () => {
    document.removeEventListener('visibilitychange', look)
    turn?.abort()
  }
}
