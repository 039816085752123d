/** An extension of pi: everything is kept, and the model is sent what a reader needs to go on. */
import lcm from '@palimpsest/lcm'
import { contextEngine } from '@palimpsest/pi'
import { createSqliteStore } from '@palimpsest/store'

export default contextEngine({
  engine: lcm,
  store: createSqliteStore({ path: 'memory.db' }),
  options: { threshold: 0.6 },
})
