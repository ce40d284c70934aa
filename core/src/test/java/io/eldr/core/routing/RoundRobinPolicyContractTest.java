package io.eldr.core.routing;

class RoundRobinPolicyContractTest extends RoutingPolicyContract {
    @Override
    PolicyName name() {
        return PolicyName.ROUND_ROBIN;
    }
}
