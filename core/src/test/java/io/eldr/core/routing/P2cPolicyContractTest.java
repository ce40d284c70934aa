package io.eldr.core.routing;

class P2cPolicyContractTest extends RoutingPolicyContract {
    @Override
    PolicyName name() {
        return PolicyName.P2C;
    }
}
