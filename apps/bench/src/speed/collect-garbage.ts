import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Node shows its collector only to those who ask for it; a context that is made behind this line has it. */
setFlagsFromString('--expose-gc')
// Code that was not run for a while would go, and come back when it is.
setFlagsFromString('--no-flush-bytecode')
const collect: unknown = runInNewContext('gc')

/** Bytes of the heap that are in use when everything that nobody holds is gone. */
export async function heldHeap(): Promise<number> {
  if (typeof collect !== 'function') throw new Error('Node does not let the garbage be collected')
  // What only the current task holds goes after it, and what was held weakly by that in the round behind.
  for (let round = 0; round < 2; round++) {
    await new Promise((resolve) => setImmediate(resolve))
    collect()
  }
  return process.memoryUsage().heapUsed
}
