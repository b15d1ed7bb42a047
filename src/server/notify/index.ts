import { createDestinations } from './destinations'
import { createNotifications } from './notices'
import { createTroubles } from './troubles'

type Needs = Parameters<typeof createDestinations>[0] &
  Omit<Parameters<typeof createNotifications>[0], 'destinations'> &
  Omit<Parameters<typeof createTroubles>[0], 'destinations'>

/** Creates everything that sends people the news: the bell, and destinations elsewhere. */
export function createNotify(needs: Needs) {
  const destinations = createDestinations(needs)
  const notifications = createNotifications({ ...needs, destinations })
  const troubles = createTroubles({ ...needs, destinations })
  return { destinations, notifications, troubles }
}
