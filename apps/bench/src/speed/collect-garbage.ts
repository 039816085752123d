import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Node shows its collector only to those who ask for it; a context that is made behind this line has it. */
setFlagsFromString('--expose-gc')
// Code that was not run for a while would go, and come back when it is.
setFlagsFromString('--no-flush-bytecode')
const collect: unknown = runInNewContext('gc')

/** Waits until all garbage is gone. */
export async function collectGarbage(): Promise<void> {
  if (typeof collect !== 'function') throw new Error('Node does not let the garbage be collected')
  // Objects of the current task go after it; those that they held weakly go in the next round.
  for (let round = 0; round < 2; round++) {
    await new Promise((resolve) => setImmediate(resolve))
    collect()
  }
}
