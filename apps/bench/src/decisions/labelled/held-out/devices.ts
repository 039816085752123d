import { assistant, type LabelledConversation, none, ran, talk, user } from '../conversation.ts'
import { accept, assert, maybe, pick, propose, retract, rule } from '../label.ts'

/** Games and embedded devices. */
export const devices: readonly LabelledConversation[] = [
  talk('third-devices-1', 'en', [
    user(
      'Roguelike in Godot, scripts in GDScript. Tile size 16 px.',
      assert('any', 'Godot'),
      assert('language', 'GDScript'),
      assert('setting:tile-size', '16 px'),
    ),
    assistant('For the dungeon generator I suggest BSP trees.', propose('any', 'BSP trees')),
    none('question', 'how do those compare to cellular automata?'),
    assistant('BSP gives rectangular rooms; cellular automata give caves.'),
    user("caves are what I'm after, so cellular automata", pick('any', 'cellular automata')),
    user(
      'player starts with 10 HP; inventory has 8 slots',
      assert('setting:hp', '10'),
      assert('setting:inventory', '8'),
    ),
    none('joke', 'the final boss is a merge conflict'),
    user("let's bump the inventory to 12 slots", assert('setting:inventory', '12')),
    none('statement', 'the cave music is really good, my kid hums it all day'),
    user(
      'all randomness goes through the Rng autoload, otherwise replays break',
      rule('all randomness goes through'),
    ),
    none('question', 'is there a plugin that exports to the Steam Deck?'),
  ]),
  talk('third-devices-2', 'en', [
    user(
      'Soil sensor on an RP2040, firmware in Rust with embassy. LoRaWAN for the uplink.',
      assert('language', 'Rust'),
      assert('any', 'embassy'),
      maybe(assert('any', 'RP2040')),
      maybe(assert('any', 'LoRaWAN')),
    ),
    none(
      'code',
      'review this?\n```rust\n// deep sleep must be 600 s\nconst SLEEP: u64 = 60; // use 60 for now\nlet log = defmt::info!;\n```',
    ),
    assistant('The constant and its comment disagree: 60 against 600 seconds.'),
    user('sleep is 900 seconds, fix both', assert('setting:sleep', '900 seconds')),
    user('uplink every 30 min', assert('setting:uplink', '30 min')),
    none('hypothetical', "if I'd go down to one uplink every 5 min how long would the battery last"),
    none('one-off', 'Flash the debug build onto board 2, please.'),
    ...ran(
      'bash',
      { command: 'probe-rs run' },
      'Programming 100 %\nWARN use --release for production builds',
    ),
    user('No heap allocation in the firmware. Ever.', rule('heap allocation')),
  ]),
  talk('third-devices-3', 'en', [
    none('history', 'The prototype was an Arduino Uno with a sketch of 3,000 lines'),
    user(
      'product version: STM32 with Zephyr, C17, build with CMake',
      assert('any', 'Zephyr'),
      assert('language', 'C17'),
      assert('build-tool', 'CMake'),
      maybe(assert('any', 'STM32')),
    ),
    assistant(
      'Should the settings be stored in NVS or in LittleFS? I lean towards NVS.',
      propose('any', 'NVS'),
      maybe(propose('any', 'LittleFS')),
    ),
    user('Agreed.', accept('any', 'NVS')),
    none('reported', 'the hardware team asked whether we could use an nRF instead, they think we should'),
    user('watchdog 4 s, I2C at 400 kHz', assert('setting:watchdog', '4 s'), assert('setting:i2c', '400 kHz')),
    none('question', 'can the watchdog be paused while debugging?'),
    user(
      "We're not doing OTA updates in v1 after all. Rip out MCUboot.",
      retract('any', 'MCUboot'),
      maybe(retract('any', 'OTA updates')),
    ),
    none('joke', 'next sensor will be a guy with a thermometer'),
    none('one-off', 'generate the pinout table as markdown and post it here'),
  ]),
]
