import { createRequire } from 'node:module'
import { join } from 'node:path'

/**
 * The process of `startRegistry`: serves the configuration file of its second argument, with the verdaccio of its
 * first, on a free port of the loopback interface, and tells its parent the port. It ends with its parent.
 */
const [folder = '', configFile = ''] = process.argv.slice(2)
const { runServer } = createRequire(join(folder, 'package.json'))('verdaccio')
const app = await runServer(configFile)
const server = app.listen(0, '127.0.0.1', () => process.send?.({ port: server.address().port }))
process.once('disconnect', () => process.exit(0))
