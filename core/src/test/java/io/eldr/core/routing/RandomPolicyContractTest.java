package io.eldr.core.routing;

class RandomPolicyContractTest extends RoutingPolicyContract {
    @Override
    PolicyName name() {
        return PolicyName.RANDOM;
    }
}
