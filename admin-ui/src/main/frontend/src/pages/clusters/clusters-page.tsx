export function ClustersPage() { return null; }
