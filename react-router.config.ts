import type { Config } from '@react-router/dev/config'
import { compressAssets } from './scripts/compress-assets.ts'

export default {
  appDirectory: 'src/web',
  buildDirectory: 'build',
  ssr: true,
  // Some forty routes: their whole manifest is smaller than one round trip to discover them.
  routeDiscovery: { mode: 'initial' },
  buildEnd: ({ reactRouterConfig }) => compressAssets(`${reactRouterConfig.buildDirectory}/client`),
} satisfies Config
