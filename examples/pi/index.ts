/** An extension of pi: everything is kept, and the model is sent what a reader needs to go on. */
import lcm from '@palimpsest/lcm'
import { createSqliteStore } from '@palimpsest/lcm/sqlite'
import { contextEngine } from '@palimpsest/pi'

export default contextEngine({
  engine: lcm,
  options: { store: () => createSqliteStore({ path: 'memory.db' }), threshold: 0.6 },
})
