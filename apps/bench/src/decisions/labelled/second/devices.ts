import { assistant, type LabelledConversation, none, talk, user } from '../conversation.ts'
import { accept, assert, maybe, pick, propose, retract, rule } from '../label.ts'

/** Games and embedded devices. */
export const devices: readonly LabelledConversation[] = [
  talk('held-devices-1', 'en', [
    user(
      'Turn-based strategy, engine is Bevy, so Rust all the way.',
      assert('any', 'Bevy'),
      assert('language', 'Rust'),
    ),
    assistant('For saves I would use RON files.', propose('any', 'RON')),
    user('yes do that', accept('any', 'RON')),
    user(
      'map is 64 x 64, each side starts with 12 units',
      assert('setting:map', '64 x 64'),
      assert('setting:units', '12'),
    ),
    none('question', 'could the pathfinding handle 256 x 256?'),
    assistant('With hierarchical A* it could. Plain A* would take 40 ms.'),
    user('use hierarchical A* for pathfinding', pick('any', 'hierarchical A*', { area: 'pathfinding' })),
    none('joke', 'dragons should be OP, because dragons'),
    none('history', 'Version one was done in GameMaker by an intern.'),
    user("there won't be any multiplayer after all", retract('any', 'multiplayer')),
  ]),
  talk('held-devices-2', 'en', [
    user(
      'ESP32 thermostat, MicroPython. Talks MQTT.',
      assert('language', 'MicroPython'),
      maybe(assert('api-style', 'MQTT')),
      maybe(assert('queue', 'MQTT')),
    ),
    assistant(
      'Should readings be kept in a ring buffer of 512 entries?',
      propose('setting:ring-buffer', '512'),
    ),
    user('Yes, but 256.', assert('setting:ring-buffer', '256')),
    none(
      'code',
      'what is wrong here\n```c\n/* always use mode 3 */\nspi_init(MODE_0); // decided: mode 0\n```',
    ),
    assistant('The comment and the call disagree: one says mode 3, the other mode 0.'),
    user('SPI mode is 3.', assert('setting:spi-mode', '3')),
    user('Sample period 5 s', assert('setting:sample-period', '5 s')),
    none('hypothetical', "what'd happen at a sample period of 100 ms, battery-wise?"),
    none('one-off', 'flash it with esptool please'),
    user('Do not use floating point in interrupt handlers.', rule('floating point')),
    user(
      'ditch MicroPython. C, on ESP-IDF.',
      assert('language', 'C', { replaces: 'MicroPython' }),
      assert('any', 'ESP-IDF'),
      maybe(retract('language', 'MicroPython')),
    ),
    none('reported', 'Purchasing said the nRF52 is cheaper and we should take that.'),
  ]),
]
