import { assistant, type LabelledConversation, none, talk, user } from '../conversation.ts'
import { accept, assert, maybe, pick, propose, retract, rule } from '../label.ts'

/** Games and embedded devices. */
export const devices: readonly LabelledConversation[] = [
  talk('dev-devices-1', 'en', [
    user(
      '2D platformer in Godot, scripts in GDScript, pixel art at 320x180.',
      assert('any', 'Godot'),
      assert('language', 'GDScript'),
      maybe(assert('setting:resolution', '320x180')),
    ),
    assistant('I suggest a fixed time step of 60 Hz for the physics.', propose('setting:time-step', '60 Hz')),
    user('ok', accept('setting:time-step', '60 Hz')),
    user(
      'player gets 3 lives and jump height is 48 px',
      assert('setting:lives', '3'),
      assert('setting:jump-height', '48 px'),
    ),
    none('question', 'Does 48 px feel too high with that gravity?'),
    assistant('Slightly. 40 px would match the tile grid.', maybe(propose('setting:jump-height', '40 px'))),
    user('make it 40 then', pick('setting:jump-height', '40')),
    none('joke', 'and the final boss is my mother in law'),
    none('history', 'The prototype used Unity, but the licence changed.'),
    user(
      'remove the lives system, infinite retries',
      retract('setting:lives', ''),
      maybe(assert('any', 'infinite retries')),
    ),
  ]),
  talk('dev-devices-2', 'en', [
    user(
      'Firmware for the STM32 sensor node. C++17, no heap after init.',
      assert('language', 'C++17'),
      rule('no heap after init'),
    ),
    assistant(
      'FreeRTOS or Zephyr? Zephyr brings its own drivers.',
      maybe(propose('any', 'FreeRTOS')),
      maybe(propose('any', 'Zephyr')),
    ),
    user('zephyr', pick('any', 'zephyr')),
    none(
      'code',
      'I get this:\n\n    #define BAUD 9600  // use 115200 in production\n    #define RTOS "ThreadX"\n\nundefined reference to k_sleep',
    ),
    assistant('The kernel library is not linked.'),
    user('UART runs at 115200 baud', assert('setting:baud', '115200')),
    user('Watchdog timeout: 2 s.', assert('setting:watchdog-timeout', '2 s')),
    none('hypothetical', 'If the watchdog were 500 ms, would flash writes still finish?'),
    none('one-off', 'use the logic analyser script to capture one frame'),
    user('the ISR must never call printf', rule('call printf')),
    user(
      'Rust instead of C++ for the bootloader',
      assert('language', 'Rust', { replaces: 'C++', area: 'bootloader' }),
    ),
    none('reported', 'The supplier claims that their SDK only works with Keil.'),
  ]),
]
