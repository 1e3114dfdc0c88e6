import { expect, test } from 'vitest'
import { directoryFor } from '../../src/io/files/directories.ts'

const roaming = 'C:\\Users\\Ann\\AppData\\Roaming'
const local = 'C:\\Users\\Ann\\AppData\\Local'

test.each([
  [
    'linux',
    { HOME: '/home/ann', XDG_CONFIG_HOME: '/c', XDG_CACHE_HOME: '/k', XDG_DATA_HOME: '/d' },
    '/c/syn',
    '/k/syn',
    '/d/syn',
  ],
  // Relative or empty, they count as unset.
  [
    'linux',
    { HOME: '/home/ann', XDG_CONFIG_HOME: 'relative', XDG_CACHE_HOME: '' },
    '/home/ann/.config/syn',
    '/home/ann/.cache/syn',
    '/home/ann/.local/share/syn',
  ],
  [
    'darwin',
    { HOME: '/Users/ann', XDG_CONFIG_HOME: '/c' },
    '/Users/ann/Library/Preferences/syn',
    '/Users/ann/Library/Caches/syn',
    '/Users/ann/Library/Application Support/syn',
  ],
  [
    'win32',
    { USERPROFILE: 'C:\\Users\\Ann' },
    `${roaming}\\syn\\Config`,
    `${local}\\syn\\Cache`,
    `${local}\\syn\\Data`,
  ],
] as const)('%s with %j', (platform, env, config, cache, data) => {
  const io = { platform, env }
  const purposes = ['config', 'cache', 'data'] as const
  expect(purposes.map((purpose) => directoryFor(purpose, io))).toEqual([config, cache, data])
})
