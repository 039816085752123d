import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readConfig } from '../src/config.ts'

describe('readConfig', () => {
  it('has a default for everything but the token', () => {
    assert.deepEqual(readConfig({}), { port: 8471, dataDir: './data', logLevel: 'info', bankToken: undefined })
  })

  it('reads the environment', () => {
    const config = readConfig({ TALLY_PORT: '9000', TALLY_DATA_DIR: '/srv/tally', TALLY_LOG_LEVEL: 'debug' })
    assert.deepEqual(config, { port: 9000, dataDir: '/srv/tally', logLevel: 'debug', bankToken: undefined })
  })

  it('refuses a port that is none', () => {
    for (const port of ['0', '70000', 'http', '']) {
      assert.throws(() => readConfig({ TALLY_PORT: port }), { code: 'bad-config' }, port)
    }
  })

  it('refuses an unknown log level', () => {
    assert.throws(() => readConfig({ TALLY_LOG_LEVEL: 'loud' }), { code: 'bad-config' })
  })
})
